import { useMomentText } from '../../../components/display/time/time-text.tsx'
import type { LogPage } from '../../../lib/api/contract.ts'
import { formatInteger } from '../../../lib/text/format.ts'
import classes from '../logs.module.css'
import { type SayLog, useLogMessages } from '../messages.ts'

const archiveNote = (say: SayLog, { months, problem }: NonNullable<LogPage['archive']>): string => {
  if (problem === undefined) return say('archive', { count: formatInteger(months) })
  return say(problem === 'too_long' ? 'archiveTooLong' : 'archiveUnavailable')
}

/** Notes about rows that this list leaves out. */
export const LogNotes = ({ page }: { page: LogPage | undefined }) => {
  const say = useLogMessages()
  const momentText = useMomentText()
  const { sorted_among: among, looked_from: looked, kept_days: kept, archive } = page ?? {}
  const kinds = [
    kept?.charged && say('keptCharged', { days: formatInteger(kept.charged) }),
    kept?.failed && say('keptFailed', { days: formatInteger(kept.failed) }),
    kept?.other && say('keptOther', { days: formatInteger(kept.other) }),
  ].filter(Boolean)
  const notes = [
    ...(archive === undefined ? [] : [archiveNote(say, archive)]),
    ...(looked === undefined ? [] : [say('lookedFrom', { time: momentText(looked) })]),
    ...(among === undefined ? [] : [say('sortedAmong', { count: formatInteger(among) })]),
    ...(kinds.length === 0 ? [] : [say(archive === undefined ? 'kept' : 'keptNowhere', { kinds: kinds.join(' · ') })]),
  ]
  return notes.map((note) => (
    <p key={note} className={classes.note}>
      {note}
    </p>
  ))
}
