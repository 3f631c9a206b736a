import type { Column } from '../../components/data-table/columns/column.ts'
import { Quota } from '../../components/display/quota.tsx'
import { TimeText } from '../../components/display/time-text.tsx'
import type { CallSession } from '../../lib/api/contract.ts'
import { formatInteger, formatPercent } from '../../lib/text/format.ts'
import { isoTime } from '../../lib/text/iso-time.ts'
import type { SaySession } from './messages.ts'

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
    cell: (row) => row.models.join(', '),
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
