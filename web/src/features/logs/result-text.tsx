import type { LogEntry } from '../../lib/api/contract.ts'
import classes from './logs.module.css'
import { useLogMessages } from './messages.ts'
import { resultOf } from './result.ts'

/** The result of a call as shape and word; the cause follows in grey. */
export const ResultText = ({ log }: { log: LogEntry }) => {
  const say = useLogMessages()
  const { tone, label, cause } = resultOf(log, say)
  return (
    <span className={classes.result} data-tone={tone}>
      <span className={classes.shape} aria-hidden="true" />
      <span className={classes.word}>{label}</span>
      {cause !== '' && <span className={classes.cause}>{cause}</span>}
    </span>
  )
}
