import { ownMember } from '@tollgate/contract/own-member'
import type { LedgerEntry } from '../../lib/api/contract.ts'
import { isoTime } from '../../lib/text/iso-time.ts'
import type { Column } from '../data-table/columns/column.ts'
import { CallQuota } from '../display/quota.tsx'
import { StatusBadge, type Tone } from '../display/status-badge.tsx'
import { TimeText } from '../display/time/time-text.tsx'
import { UserLink } from '../display/user-link.tsx'
import classes from './ledger.module.css'
import { type SayLedger, useLedgerMessages } from './messages.ts'

const tones: Readonly<Record<LedgerEntry['reason'], Tone>> = {
  opening: 'info',
  charge: 'neutral',
  adjust: 'warn',
  grant: 'good',
  redeem: 'good',
  topup: 'good',
  transfer: 'info',
  refund: 'info',
  correction: 'warn',
}

/** The reason of an entry; a reason without a translation is shown unchanged. */
export const reasonText = (reason: string, say: SayLedger): string => {
  const key = `reason_${reason}`
  return useLedgerMessages.has(key) ? say(key) : reason
}

const Amount = ({ entry }: { entry: LedgerEntry }) => (
  <span className={classes.amount} data-plus={entry.amount > 0 || undefined}>
    {entry.amount > 0 ? '+' : ''}
    <CallQuota value={entry.amount} />
  </span>
)

const Actor = ({ entry }: { entry: LedgerEntry }) =>
  entry.actor_id > 0 ? (
    <UserLink id={entry.actor_id} name={entry.actor_name || `#${entry.actor_id}`} />
  ) : (
    <span className="faint">—</span>
  )

/** The columns of a ledger; the actor is shown to admins only. */
export const ledgerColumns = (say: SayLedger, { forAdmin }: { forAdmin: boolean }): readonly Column<LedgerEntry>[] => [
  {
    id: 'created_at',
    header: say('time'),
    card: 'fact',
    cell: (entry) => <TimeText at={entry.created_at} />,
    value: (entry) => isoTime(entry.created_at),
  },
  {
    id: 'reason',
    header: say('reason'),
    card: 'title',
    cell: ({ reason }) => <StatusBadge tone={ownMember(tones, reason) ?? 'neutral'} label={reasonText(reason, say)} />,
    value: (entry) => entry.reason,
  },
  {
    id: 'amount',
    header: say('amount'),
    align: 'right',
    card: 'amount',
    cell: (entry) => <Amount entry={entry} />,
    value: (entry) => entry.amount,
  },
  {
    id: 'balance',
    header: say('balanceAfter'),
    align: 'right',
    cell: (entry) => <CallQuota value={entry.balance} />,
    value: (entry) => entry.balance,
  },
  ...(forAdmin
    ? [
        {
          id: 'actor',
          header: say('actor'),
          cell: (entry: LedgerEntry) => <Actor entry={entry} />,
          value: (entry: LedgerEntry) => entry.actor_name,
        },
      ]
    : []),
  {
    id: 'note',
    header: say('note'),
    cell: (entry) => (entry.note === '' ? '' : <span className={classes.note}>{entry.note}</span>),
    value: (entry) => entry.note,
  },
  {
    id: 'movement',
    header: say('movement'),
    // The menu of a card copies it.
    card: 'none',
    cell: (entry) => (
      <span className={`mono cut ${classes.movement}`} title={entry.movement}>
        {entry.movement}
      </span>
    ),
    value: (entry) => entry.movement,
  },
]
