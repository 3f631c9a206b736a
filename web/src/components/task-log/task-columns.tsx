import type { Cause } from '../../lib/api/contract.ts'
import { isoTime } from '../../lib/text/iso-time.ts'
import { causeText } from '../../lib/text/refusal-text.ts'
import type { ChoiceFacet, Column, FacetOption } from '../data-table/columns/column.ts'
import { ProgressText } from '../display/progress-text.tsx'
import { Quota } from '../display/quota.tsx'
import { TimeText } from '../display/time/time-text.tsx'
import { useUiMessages } from '../messages.ts'
import { ChannelName, UserName } from './people.tsx'
import { SpentTime } from './spent-time.tsx'

/** A text that may be long; the table cuts it. */
export const CutText = ({ text, mono }: { text: string; mono?: boolean }) => {
  const say = useUiMessages()
  if (text === '') return <span className="faint">{say('nothing')}</span>
  return <span className={mono ? 'mono' : ''}>{text}</span>
}

/** Channel and user of a task, with names for administrators. */
interface Person {
  readonly channel_id: number
  readonly channel_name?: string | undefined
  readonly user_id: number
  readonly username?: string | undefined
}

/** Name of an id; `#3` for a deleted object without a name. */
const nameOrId = (name: string | undefined, id: number): string => name || (id > 0 ? `#${id}` : '')

/** The channels or users of the rows on the page, by name; those of other rows are named where they are counted. */
const named = (pairs: readonly (readonly [id: number, name: string | undefined])[]): FacetOption[] =>
  [...new Map(pairs)].flatMap(([id, name]) => (id > 0 ? [{ value: String(id), label: nameOrId(name, id) }] : []))

/** Fields that all tasks share, drawings among them. */
interface Task extends Person {
  readonly status: string
  readonly progress: string
  readonly fail_cause?: Cause | undefined
}

/** The screen's own names of the columns. */
type SayColumn = (word: 'channel' | 'user' | 'progress' | 'spent' | 'failReason') => string

const channelColumn = <Row extends Person>(say: (word: 'channel') => string): Column<Row> => ({
  id: 'channel_id',
  header: say('channel'),
  card: 'none',
  most: 150,
  filters: (row) => [{ facet: 'channel_id', value: String(row.channel_id) }],
  cell: (row) => <ChannelName id={row.channel_id} name={row.channel_name} />,
  value: (row) => nameOrId(row.channel_name, row.channel_id),
})

/** The user who began a task, for administrators. */
export const userColumn = <Row extends Pick<Person, 'user_id' | 'username'>>(
  say: (word: 'user') => string,
): Column<Row> => ({
  id: 'user_id',
  header: say('user'),
  most: 120,
  filters: (row) => [{ facet: 'user_id', value: String(row.user_id) }],
  cell: (row) => <UserName id={row.user_id} name={row.username} />,
  value: (row) => nameOrId(row.username, row.user_id),
})

/** Channel and user, for administrators. */
export const peopleColumns = <Row extends Person>(
  say: (word: 'channel' | 'user') => string,
): readonly Column<Row>[] => [channelColumn<Row>(say), userColumn<Row>(say)]

/** When a task was begun; its list is the newest first. */
export const createdColumn = <Row extends { readonly created_at: number }>(
  say: (word: 'created') => string,
): Column<Row> => ({
  id: 'created_at',
  header: say('created'),
  cell: (row) => <TimeText at={row.created_at} brief />,
  value: (row) => isoTime(row.created_at),
})

/** Quota units that were charged for it. */
export const costColumn = <Row extends { readonly quota: number }>(say: (word: 'cost') => string): Column<Row> => ({
  id: 'quota',
  header: say('cost'),
  card: 'amount',
  align: 'right',
  money: true,
  sum: true,
  cell: (row) => <Quota value={row.quota} />,
  value: (row) => row.quota,
})

/** The user as a filter. */
export const userFacet = (
  say: (word: 'user') => string,
  rows: readonly Pick<Person, 'user_id' | 'username'>[],
): ChoiceFacet<'user_id'> => ({
  kind: 'choice',
  id: 'user_id',
  label: say('user'),
  options: named(rows.map(({ user_id, username }) => [user_id, username])),
  single: true,
})

/** Channel and user as filters. */
export const peopleFacets = (
  say: (word: 'channel' | 'user') => string,
  rows: readonly Person[],
): readonly ChoiceFacet<'channel_id' | 'user_id'>[] => [
  {
    kind: 'choice',
    id: 'channel_id',
    label: say('channel'),
    options: named(rows.map(({ channel_id, channel_name }) => [channel_id, channel_name])),
    single: true,
  },
  userFacet(say, rows),
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
