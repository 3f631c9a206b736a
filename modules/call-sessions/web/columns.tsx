import { sessionRunsFor } from 'virtual:contract'
import type { Column } from '#web/components/data-table/columns/column.ts'
import { Quota } from '#web/components/display/quota.tsx'
import { StatusBadge, type Tone } from '#web/components/display/status-badge.tsx'
import { TimeText } from '#web/components/display/time/time-text.tsx'
import { Logo } from '#web/components/logo/logo.tsx'
import type { CallSession } from '#web/lib/api/contract.ts'
import { formatInteger, formatPercent, formatWholeDuration } from '#web/lib/text/format.ts'
import { isoTime } from '#web/lib/text/iso-time.ts'
import type { SaySession } from './messages.ts'
import classes from './sessions.module.css'

/** Share of the prompts that was read from caches; undefined where there were none. */
export const cacheShare = ({ cached_tokens, prompt_tokens }: CallSession): number | undefined =>
  prompt_tokens > 0 ? cached_tokens / prompt_tokens : undefined

const shareText = (session: CallSession): string => {
  const share = cacheShare(session)
  return share === undefined ? '–' : formatPercent(share)
}

type Figure = 'calls' | 'failures' | 'prompt_tokens' | 'completion_tokens' | 'missed_tokens'
const count = (id: Figure, header: string, hidden = false): Column<CallSession> => ({
  id,
  header,
  align: 'right',
  hidden,
  card: 'none',
  cell: (row) => <span className="num">{formatInteger(row[id])}</span>,
  value: (row) => row[id],
})

type Amount = 'quota' | 'cache_saved' | 'cache_lost'
const money = (id: Amount, header: string, card: 'amount' | 'none'): Column<CallSession> => ({
  id,
  header,
  align: 'right',
  card,
  cell: (row) => <Quota value={row[id]} />,
  money: true,
  value: (row) => row[id],
})

/** Columns of the list of sessions; admins see whose they are. */
export const sessionColumns = (say: SaySession, isAdmin: boolean): readonly Column<CallSession>[] => [
  {
    id: 'last_time',
    header: say('last'),
    cell: (row) => <TimeText at={row.last_time} brief />,
    value: (row) => isoTime(row.last_time),
  },
  {
    id: 'id',
    header: say('session'),
    card: 'none',
    filters: (row) => [{ facet: 'session', value: row.id }],
    cell: (row) => <span className="mono">{row.id.slice(0, 8)}</span>,
    value: (row) => row.id,
  },
  ...(isAdmin
    ? [
        {
          id: 'username',
          header: say('user'),
          filters: (row: CallSession) => [{ facet: 'username', value: row.username }],
          cell: (row: CallSession) => row.username,
          value: (row: CallSession) => row.username,
        },
      ]
    : []),
  {
    id: 'client',
    header: say('client'),
    most: 140,
    cell: (row) => row.client || '–',
    cardCell: (row) => row.client || null,
    value: (row) => row.client,
  },
  {
    id: 'token_name',
    header: say('key'),
    card: 'none',
    most: 160,
    cell: (row) => row.token_name || '–',
    value: (row) => row.token_name,
  },
  {
    id: 'models',
    header: say('models'),
    card: 'title',
    most: 240,
    cell: (row) => (
      <span className={classes.models}>
        {row.models[0] && <Logo of={{ model: row.models[0] }} name={row.models[0]} />}
        <span className="mono">{row.models.join(', ')}</span>
      </span>
    ),
    value: (row) => row.models.join(', '),
  },
  { ...count('calls', say('calls')), card: 'fact' },
  count('failures', say('failures'), true),
  count('prompt_tokens', say('input')),
  {
    id: 'cache_share',
    header: say('fromCache'),
    align: 'right',
    card: 'fact',
    cell: (row) => <span className="num">{shareText(row)}</span>,
    value: (row) => cacheShare(row) ?? null,
  },
  count('completion_tokens', say('output')),
  count('missed_tokens', say('missed'), true),
  money('cache_saved', say('saved'), 'none'),
  money('cache_lost', say('lost'), 'none'),
  money('quota', say('cost'), 'amount'),
]

const stateOf = (row: CallSession, say: SaySession): { tone: Tone; label: string } => {
  if (row.failures > 0) return { tone: 'bad', label: say('failedCount', { count: row.failures }) }
  if (row.cache_lost > 0) return { tone: 'warn', label: say('stateMissed') }
  return Date.now() / 1000 - row.last_time < sessionRunsFor
    ? { tone: 'good', label: say('stateRunning') }
    : { tone: 'neutral', label: say('stateIdle') }
}

/** Start and duration of a session, and below them its program, user and key. */
const twoLines = (isAdmin: boolean) => ({
  width: 190,
  most: 300,
  cell: (row: CallSession) => (
    <span className={classes.models}>
      {row.models[0] && <Logo of={{ model: row.models[0] }} name={row.models.join(', ')} />}
      <span className={classes.lines}>
        <span className="cut">
          <TimeText at={row.first_time} brief /> · {formatWholeDuration((row.last_time - row.first_time) * 1000)}
        </span>
        <small className="faint cut" title={`${ownerText(row, isAdmin)} · ${row.models.join(', ')}`}>
          {ownerText(row, isAdmin)}
        </small>
      </span>
    </span>
  ),
})

/** `Claude Code · carol · laptop`: the program, whose session it is, and the key. */
const ownerText = ({ client, username, token_name: key, id }: CallSession, isAdmin: boolean): string =>
  [client, isAdmin && username, key].filter(Boolean).join(' · ') || id.slice(0, 8)

/** Columns that stay in the list while a session is open beside it; the other columns can be chosen. */
const listed: ReadonlySet<string> = new Set(['calls', 'quota'])

/** The same columns for the narrow list beside an open session: first its time and owner in two lines, and its state. */
export const listedColumns = (say: SaySession, isAdmin: boolean): readonly Column<CallSession>[] => {
  const columns = sessionColumns(say, isAdmin)
  return [
    ...columns
      .filter(({ id }) => id === 'models')
      .map((models) => ({ ...models, ...twoLines(isAdmin), header: say('session') })),
    {
      id: 'state',
      header: say('state'),
      card: 'none',
      cell: (row) => <StatusBadge {...stateOf(row, say)} />,
      value: (row) => stateOf(row, say).label,
    },
    ...columns.filter(({ id }) => id !== 'models').map((column) => ({ ...column, hidden: !listed.has(column.id) })),
  ]
}
