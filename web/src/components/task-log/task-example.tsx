import { CodeBlock } from '../markdown/code-block.tsx'
import classes from './task-log.module.css'

/** Commands that begin the first task of a kind, below an empty list. */
export const TaskExample = ({ code }: { code: string }) => (
  <div className={classes.example}>
    <CodeBlock code={code} language="bash" />
  </div>
)
