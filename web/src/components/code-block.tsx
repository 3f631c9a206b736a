import { useCopy } from './copy-text.tsx'
import classes from './markdown.module.css'
import { useUiWords } from './messages.ts'

/** Code with its language and a copy button. */
export const CodeBlock = ({ code, language }: { code: string; language: string }) => {
  const say = useUiWords()
  const { copy, dialog } = useCopy()
  return (
    <div className={classes.block}>
      <div className={classes.blockHead}>
        <span>{language}</span>
        <button type="button" className="text-button" onClick={() => void copy(code, { secret: true })}>
          {say('copy')}
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling frame must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
      {dialog}
    </div>
  )
}
