import { textIn, useLanguage } from '../../../lib/i18n.ts'
import { useSettingMessages } from '../messages.ts'
import { type Key, optionOf } from '../registry.ts'
import classes from '../settings.module.css'
import { useSettings } from '../settings-state.ts'
import { changeLines } from './change-lines.ts'

const mostLines = 6

const Change = ({ of }: { of: Key }) => {
  const say = useSettingMessages()
  const language = useLanguage()
  const settings = useSettings()
  const lines = changeLines(of, settings.stored.values.get(of) ?? '', settings.text(of), { language, say })
  return (
    <li>
      <span className="strong">{textIn(optionOf(of).label, language)}</span>
      {lines.slice(0, mostLines).map((line) => (
        <span key={line.entry} className={classes.changeLine}>
          {line.entry !== '' && line.entry !== line.before && line.entry !== line.after && <code>{line.entry}</code>}
          {line.before !== '' && <del>{line.before}</del>}
          {line.before !== '' && line.after !== '' && <span aria-hidden="true">→</span>}
          {line.after !== '' && <ins>{line.after}</ins>}
        </span>
      ))}
      {lines.length > mostLines && (
        <span className="faint">{say('moreLines', { count: lines.length - mostLines })}</span>
      )}
    </li>
  )
}

/** The changes that saving would make, old → new. */
export const ChangeSummary = ({ keys, name }: { keys: readonly Key[]; name: string }) => (
  <ul className={classes.changes} aria-label={name}>
    {keys.map((key) => (
      <Change key={key} of={key} />
    ))}
  </ul>
)
