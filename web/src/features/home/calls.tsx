import type { OfferedCall } from '../../lib/api/contract.ts'
import { textIn, useLanguage } from '../../lib/i18n.ts'
import classes from './home.module.css'

/** The calls of the site, as its route table has them. Those without a caption are named after their API. */
export const Calls = ({ calls }: { calls: readonly OfferedCall[] }) => {
  const language = useLanguage()
  return (
    <ul className={`panel ${classes.calls}`}>
      {calls.map(({ method, path, dialect, caption }) => (
        <li key={`${method} ${path}`}>
          <strong className="strong">{caption ? textIn(caption.name, language) : dialect}</strong>
          <code className="mono">
            <span className="faint">{method}</span> {path}
          </code>
          <span className="muted">{caption && textIn(caption.text, language)}</span>
          <span className={classes.dialect}>{dialect}</span>
        </li>
      ))}
    </ul>
  )
}
