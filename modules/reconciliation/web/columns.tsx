import type { Column } from '#web/components/data-table/columns/column.ts'
import { StatusBadge, type Tone } from '#web/components/display/status-badge.tsx'
import { TimeText } from '#web/components/display/time/time-text.tsx'
import type { ReportImport } from '#web/lib/api/contract.ts'
import { useLanguage } from '#web/lib/i18n.ts'
import { formatDate, formatInteger } from '#web/lib/text/format.ts'
import { formatDay } from '#web/lib/text/format-time.ts'
import { refusalText } from '#web/lib/text/refusal-text.ts'
import { Amount, Causes, causesText, Difference } from './amount.tsx'
import type { SayReconciliation } from './messages.ts'
import classes from './reconciliation.module.css'

const tones: Readonly<Record<ReportImport['status'], Tone>> = { running: 'info', done: 'good', failed: 'bad' }

/** For files: `2026-11-20`. Days are days of UTC, whatever the reader's zone. */
export const dayText = (day: number): string => formatDate(day, 'UTC')

export const periodText = ({ from, until }: Pick<ReportImport, 'from' | 'until'>): string =>
  from === until ? dayText(from) : `${dayText(from)} – ${dayText(until)}`

/** A day of UTC in the reader's language. */
export const Day = ({ at }: { at: number }) => {
  const language = useLanguage()
  return <span className={`num ${classes.whole}`}>{formatDay(at, { language, zone: 'UTC' })}</span>
}

/** The days of a report; the line may break between them, not within them. */
export const Period = ({ of: { from, until } }: { of: Pick<ReportImport, 'from' | 'until'> }) => (
  <span className="num">
    <Day at={from} />
    {from !== until && (
      <>
        {' – '}
        <Day at={until} />
      </>
    )}
  </span>
)

/** Columns of the list of imports. `channelName` writes a channel's id with its name. */
export const importColumns = (
  say: SayReconciliation,
  channelName: (id: number) => string,
): readonly Column<ReportImport>[] => [
  {
    id: 'source',
    header: say('source'),
    card: 'title',
    cell: (row) => <span className="strong">{row.source_name}</span>,
    value: (row) => row.source_name,
  },
  {
    id: 'period',
    header: say('period'),
    cell: (row) => <Period of={row} />,
    value: periodText,
  },
  {
    id: 'status',
    header: say('status'),
    card: 'title',
    cell: (row) => (
      <StatusBadge
        tone={tones[row.status]}
        label={say(row.status)}
        {...(row.error ? { hint: refusalText(row.error, row) } : {})}
      />
    ),
    value: (row) => row.status,
  },
  {
    id: 'channels',
    header: say('channels'),
    cell: (row) => row.channel_ids.map(channelName).join(', '),
    value: (row) => row.channel_ids.join(' '),
  },
  {
    id: 'ours',
    header: say('ours'),
    align: 'right',
    cell: (row) => <Amount value={row.lines === 0 ? null : row.ours_cost} />,
    value: (row) => row.ours_cost,
  },
  {
    id: 'theirs',
    header: say('theirs'),
    align: 'right',
    cell: (row) => <Amount value={row.lines === 0 ? null : row.theirs_cost} />,
    value: (row) => row.theirs_cost,
  },
  {
    id: 'difference',
    header: say('difference'),
    align: 'right',
    card: 'amount',
    cell: (row) => <Difference value={row.lines === 0 ? null : row.difference} />,
    value: (row) => row.difference,
  },
  {
    id: 'causes',
    header: say('causes'),
    width: 260,
    card: 'field',
    cardCell: (row) => (row.causes.length === 0 ? null : <Causes causes={row.causes} say={say} />),
    cell: (row) => (row.lines === 0 ? <span className="faint">–</span> : <Causes causes={row.causes} say={say} />),
    value: (row) => causesText(row.causes, say),
  },
  {
    id: 'lines',
    header: say('lines'),
    align: 'right',
    hidden: true,
    card: 'none',
    cell: (row) => <span className="num">{formatInteger(row.lines)}</span>,
    value: (row) => row.lines,
  },
  {
    id: 'imported',
    header: say('imported'),
    cell: (row) => <TimeText at={row.finished_time || row.created_time} relative />,
    value: (row) => new Date(row.created_time * 1000).toISOString(),
  },
  {
    id: 'user',
    header: say('user'),
    hidden: true,
    card: 'none',
    cell: (row) => row.username,
    value: (row) => row.username,
  },
]
