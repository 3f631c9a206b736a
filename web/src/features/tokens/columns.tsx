import type { Column } from '../../components/data-table/columns/column.ts'
import { GroupTag } from '../../components/display/group-tag.tsx'
import { Quota } from '../../components/display/quota.tsx'
import { TimeText } from '../../components/display/time/time-text.tsx'
import type { Token } from '../../lib/api/contract.ts'
import { KeyCell } from './keys/key-cell.tsx'
import type { SayToken } from './messages.ts'
import { statusWord, TokenStatusBadge } from './status.tsx'
import classes from './tokens.module.css'
import { Accessed, Expiry, ExpiryInShort, Recent, Remaining, spentLately } from './usage-cells.tsx'
import type { RecentUse } from './use-usage.ts'

/** Columns of the key list. `now` in unix seconds; `recent` returns a key's recent spending. */
export const tokenColumns = (
  say: SayToken,
  now: number,
  recent: (id: number) => RecentUse | undefined | null,
): readonly Column<Token>[] => [
  {
    id: 'name',
    header: say('name'),
    sortable: true,
    card: 'title',
    most: 200,
    cell: (token) => <span className="strong">{token.name}</span>,
    value: (token) => token.name,
  },
  {
    id: 'status',
    header: say('status'),
    filters: (token) => [
      { facet: 'status', value: String(token.status) },
      { facet: 'group', value: token.group },
    ],
    sortable: true,
    card: 'title',
    cell: (token) => (
      <span className={classes.status}>
        <TokenStatusBadge token={token} />
        <GroupTag name={token.group || say('userGroup')} />
      </span>
    ),
    cardCell: (token) => <TokenStatusBadge token={token} />,
    value: (token) => statusWord(token, say),
  },
  { id: 'key', header: say('key'), card: 'none', cell: (token) => <KeyCell token={token} /> },
  {
    id: 'used_quota',
    header: say('used'),
    sortable: true,
    align: 'right',
    card: 'none',
    cell: (token) => <Quota value={token.used_quota} />,
    value: (token) => token.used_quota,
    money: true,
    sum: true,
  },
  {
    id: 'recent',
    header: say('recent'),
    align: 'right',
    card: 'amount',
    cardCell: (token) => <Quota value={token.used_quota} />,
    cell: (token) => <Recent use={recent(token.id)} say={say} />,
    value: (token) => {
      const use = recent(token.id)
      return use ? spentLately(use) : null
    },
  },
  {
    id: 'remain_quota',
    header: say('remaining'),
    sortable: true,
    align: 'right',
    cell: (token) => <Remaining token={token} say={say} />,
    value: (token) => (token.unlimited_quota ? say('unlimited') : token.remain_quota),
  },
  {
    id: 'created_time',
    header: say('created'),
    sortable: true,
    // Its page says it, and the list is narrow enough without.
    hidden: true,
    card: 'none',
    cell: (token) => <TimeText at={token.created_time} brief />,
    value: (token) => new Date(token.created_time * 1000).toISOString(),
  },
  {
    id: 'accessed_time',
    header: say('accessed'),
    sortable: true,
    card: 'none',
    cell: (token) => <Accessed token={token} say={say} />,
    value: (token) => token.accessed_time,
  },
  {
    id: 'expired_time',
    header: say('expires'),
    sortable: true,
    cell: (token) => <Expiry token={token} say={say} now={now} />,
    cardCell: (token) => <ExpiryInShort token={token} say={say} now={now} />,
    value: (token) => token.expired_time,
  },
]
