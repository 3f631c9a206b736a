import type { AuditEntry } from '../../lib/api/contract.ts'
import { Hint } from '../display/hint.tsx'
import classes from './audit.module.css'
import { changesOf, hiddenValue, valueText } from './changes.ts'
import { useAuditMessages } from './messages.ts'

const Value = ({ value }: { value: unknown }) => {
  const say = useAuditMessages()
  if (value === undefined || value === null) return <span className="faint">{say('nothing')}</span>
  if (value === '') return <span className="faint">{say('emptyText')}</span>
  if (value === hiddenValue)
    return (
      <Hint label={say('hiddenHint')} multiline maw={280}>
        <span className="mono">
          {hiddenValue} <span className="faint">{say('hidden')}</span>
        </span>
      </Hint>
    )
  return <pre className={`mono ${classes.value}`}>{valueText(value)}</pre>
}

/** The changed fields: the old value, then the new one. */
export const Differences = ({ entry }: { entry: AuditEntry }) => {
  const say = useAuditMessages()
  const changes = changesOf(entry)
  if (changes.length === 0) return <p className="faint">{say('noFields')}</p>
  return (
    <ul className={classes.fields}>
      {changes.map(({ field, before, after }) => (
        <li key={field}>
          <span className={`mono ${classes.fieldName}`}>{field}</span>
          <div className={classes.sides}>
            <div className={classes.side} data-side="before">
              <small>{say('before')}</small>
              <Value value={before} />
            </div>
            <div className={classes.side} data-side="after">
              <small>{say('after')}</small>
              <Value value={after} />
            </div>
          </div>
        </li>
      ))}
    </ul>
  )
}
