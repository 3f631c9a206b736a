import type { Cause } from '../../lib/api/contract.ts'
import { causeText } from '../../lib/text/refusal-text.ts'
import type { ChoiceFacet, Column, FacetOption } from '../data-table/columns/column.ts'
import { ProgressText } from '../display/progress-text.tsx'
import { useUiMessages } from '../messages.ts'
import { ChannelName, UserName } from './people.tsx'
import { SpentTime } from './spent-time.tsx'

/** A text that may be long; the table cuts it. */
export const CutText = ({ text, mono }: { text: string; mono?: boolean }) => {
  const say = useUiMessages()
  if (text === '') return <span className="faint">{say('nothing')}</span>
  return <span className={mono ? 'mono' : ''}>{text}</span>
}

interface Row {
  channel_id: number
  user_id: number
  channel_name?: string | undefined
  username?: string | undefined
}

/** Name of an id; `#3` for a deleted object without a name. */
const nameOrId = (name: string | undefined, id: number): string => name || (id > 0 ? `#${id}` : '')

/** The channels or users of the rows on the page, by name; those of other rows are named where they are counted. */
const namedOf = (rows: readonly Row[], of: 'channel_id' | 'user_id'): FacetOption[] => [
  ...new Map(
    rows
      .filter((row) => row[of] > 0)
      .map((row) => {
        const label = nameOrId(of === 'channel_id' ? row.channel_name : row.username, row[of])
        return [row[of], { value: String(row[of]), label }] as const
      }),
  ).values(),
]

/** Fields that all tasks share, drawings among them. */
interface Task {
  readonly channel_id: number
  readonly channel_name?: string | undefined
  readonly user_id: number
  readonly username?: string | undefined
  readonly status: string
  readonly progress: string
  readonly fail_cause?: Cause | undefined
}

/** The screen's own names of the columns. */
type SayColumn = (word: 'channel' | 'user' | 'progress' | 'spent' | 'failReason') => string

/** Channel and user, for administrators. */
export const peopleColumns = <Row extends Task>(say: SayColumn): readonly Column<Row>[] => [
  {
    id: 'channel_id',
    header: say('channel'),
    card: 'none',
    most: 150,
    filters: (row) => [{ facet: 'channel_id', value: String(row.channel_id) }],
    cell: (row) => <ChannelName id={row.channel_id} name={row.channel_name} />,
    value: (row) => nameOrId(row.channel_name, row.channel_id),
  },
  {
    id: 'user_id',
    header: say('user'),
    most: 120,
    filters: (row) => [{ facet: 'user_id', value: String(row.user_id) }],
    cell: (row) => <UserName id={row.user_id} name={row.username} />,
    value: (row) => nameOrId(row.username, row.user_id),
  },
]

/** The same as filters. */
export const peopleFacets = (
  say: SayColumn,
  rows: readonly Task[],
): readonly ChoiceFacet<'channel_id' | 'user_id'>[] => [
  { kind: 'choice', id: 'channel_id', label: say('channel'), options: namedOf(rows, 'channel_id'), single: true },
  { kind: 'choice', id: 'user_id', label: say('user'), options: namedOf(rows, 'user_id'), single: true },
]

export const progressColumn = <Row extends Task>(say: SayColumn): Column<Row> => ({
  id: 'progress',
  header: say('progress'),
  card: 'none',
  cell: (row) => <ProgressText text={row.progress} failed={row.status === 'FAILURE'} label={say('progress')} />,
  value: (row) => row.progress,
})

/** How long it took; `secondsOf` is undefined while it is not finished. */
export const spentColumn = <Row extends Task>(
  say: SayColumn,
  secondsOf: (row: Row) => number | undefined,
): Column<Row> => ({
  id: 'spent',
  header: say('spent'),
  align: 'right',
  cell: (row) => <SpentTime seconds={secondsOf(row)} />,
  unit: 'ms',
  value: (row) => {
    const seconds = secondsOf(row)
    return seconds === undefined ? null : Math.round(seconds * 1000)
  },
})

/** Why it failed; `most` is the width in px. */
export const failureColumn = <Row extends Task>(say: SayColumn, most: number): Column<Row> => ({
  id: 'fail_reason',
  header: say('failReason'),
  card: 'none',
  most,
  cell: (row) => <CutText text={causeText(row.fail_cause)} />,
  value: (row) => causeText(row.fail_cause),
})
