import { SecretText } from '#web/components/copy/secret-text.tsx'
import type { Column } from '#web/components/data-table/columns/column.ts'
import { Quota } from '#web/components/display/quota.tsx'
import { TimeText } from '#web/components/display/time/time-text.tsx'
import { UserLink } from '#web/components/display/user-link.tsx'
import type { Redemption } from '#web/lib/api/contract.ts'
import { isoTime } from '#web/lib/text/iso-time.ts'
import { revealKeys } from './keys.ts'
import { type SayRedemption, useRedemptionMessages } from './messages.ts'
import { filterStatus, RedemptionStatusBadge, statusWord } from './status.tsx'

/** The masked code; it can be shown and copied. */
const KeyCell = ({ code }: { code: Redemption }) => {
  const say = useRedemptionMessages()
  const reveal = async (): Promise<string> => (await revealKeys([code.id]))[0]?.key ?? ''
  const labels = { show: say('show'), hide: say('hide'), copy: say('copy') }
  return <SecretText masked={code.key} reveal={reveal} labels={labels} />
}

/** Columns of the list of codes. `now` in unix seconds. */
export const redemptionColumns = (say: SayRedemption, now: number): readonly Column<Redemption>[] => [
  {
    id: 'id',
    header: say('id'),
    sortable: true,
    card: 'none',
    cell: (code) => <span className="num">{code.id}</span>,
    value: (code) => code.id,
  },
  {
    id: 'name',
    header: say('name'),
    sortable: true,
    card: 'title',
    cell: (code) => <span className="strong">{code.name}</span>,
    value: (code) => code.name,
  },
  {
    id: 'status',
    header: say('status'),
    filters: (code) => [{ facet: 'status', value: String(filterStatus(code, now)) }],
    sortable: true,
    card: 'title',
    cell: (code) => <RedemptionStatusBadge code={code} say={say} now={now} />,
    value: (code) => statusWord(code, say, now),
  },
  { id: 'key', header: say('key'), card: 'none', cell: (code) => <KeyCell code={code} /> },
  {
    id: 'quota',
    header: say('quota'),
    sortable: true,
    align: 'right',
    card: 'amount',
    cell: (code) => <Quota value={code.quota} />,
    value: (code) => code.quota,
    money: true,
    sum: true,
  },
  {
    id: 'created_time',
    header: say('created'),
    sortable: true,
    cell: (code) => <TimeText at={code.created_time} brief />,
    value: (code) => isoTime(code.created_time),
  },
  {
    id: 'expired_time',
    header: say('expires'),
    sortable: true,
    card: 'none',
    cell: (code) => <TimeText at={code.expired_time === 0 ? -1 : code.expired_time} brief />,
    value: (code) => isoTime(code.expired_time),
  },
  {
    id: 'redeemer',
    header: say('redeemer'),
    cell: (code) =>
      code.used_user_id > 0 ? (
        <UserLink id={code.used_user_id} name={code.used_username || `#${code.used_user_id}`} />
      ) : (
        <span className="faint">{say('none')}</span>
      ),
    value: (code) => (code.used_user_id > 0 ? `${code.used_username} #${code.used_user_id}` : ''),
  },
  {
    id: 'redeemed_time',
    header: say('redeemed'),
    sortable: true,
    card: 'none',
    cell: (code) => <TimeText at={code.redeemed_time} brief />,
    value: (code) => isoTime(code.redeemed_time),
  },
  {
    id: 'creator',
    header: say('creator'),
    hidden: true,
    card: 'none',
    cell: (code) => <UserLink id={code.user_id} name={code.creator || `#${code.user_id}`} />,
    value: (code) => code.creator,
  },
  {
    id: 'batch_id',
    header: say('batch'),
    filters: (code) => [{ facet: 'batch_id', value: code.batch_id }],
    hidden: true,
    card: 'none',
    cell: (code) => <span className="mono">{code.batch_id}</span>,
    value: (code) => code.batch_id,
  },
]
