import type { ReactNode } from 'react'
import { CodeBlock } from '../markdown/code-block.tsx'
import classes from './task-log.module.css'

/** Buttons at the foot of the sheet of a task. */
export const SheetActions = ({ children }: { children: ReactNode }) => <div className={classes.foot}>{children}</div>

/** Commands that begin the first task of a kind, below an empty list. */
export const TaskExample = ({ code }: { code: string }) => (
  <div className={classes.example}>
    <CodeBlock code={code} language="bash" />
  </div>
)
