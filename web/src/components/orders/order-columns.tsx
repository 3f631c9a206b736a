import { ownMember } from '@tollgate/contract/own-member'
import { orderStates, type TopUpOrder } from '../../lib/api/contract.ts'
import { isoTime } from '../../lib/text/iso-time.ts'
import { CopyText } from '../copy/copy-text.tsx'
import type { Column, Facet } from '../data-table/columns/column.ts'
import { Quota } from '../display/quota.tsx'
import { StatusBadge, type Tone } from '../display/status-badge.tsx'
import { TimeText } from '../display/time/time-text.tsx'
import { UserLink } from '../display/user-link.tsx'
import { type SayOrder, useOrderMessages } from './messages.ts'
import { methodName, type PayMethods } from './methods.ts'

const tones: Readonly<Record<TopUpOrder['status'], Tone>> = { pending: 'warn', success: 'good', expired: 'neutral' }

export const OrderStatus = ({ status }: { status: TopUpOrder['status'] }) => {
  const say = useOrderMessages()
  const key = `status_${status}`
  const label = useOrderMessages.has(key) ? say(key) : status
  return <StatusBadge tone={ownMember(tones, status) ?? 'neutral'} label={label} />
}

const userColumn = (say: SayOrder): Column<TopUpOrder> => ({
  id: 'username',
  header: say('user'),
  card: 'title',
  cell: (order) => <UserLink id={order.user_id} name={order.username || `#${order.user_id}`} />,
  value: (order) => order.username,
})

/** The columns of orders; the user is shown to admins only. */
export const orderColumns = (
  say: SayOrder,
  { forAdmin, methods }: { forAdmin: boolean; methods?: PayMethods },
): readonly Column<TopUpOrder>[] => [
  {
    id: 'create_time',
    header: say('created'),
    cell: (order) => <TimeText at={order.create_time} />,
    value: (order) => isoTime(order.create_time),
  },
  ...(forAdmin ? [userColumn(say)] : []),
  {
    id: 'status',
    header: say('status'),
    card: 'title',
    cell: (order) => <OrderStatus status={order.status} />,
    value: (order) => order.status,
  },
  {
    id: 'quota',
    header: say('quota'),
    card: 'amount',
    align: 'right',
    cell: (order) => <Quota value={order.quota} />,
    value: (order) => order.quota,
  },
  {
    id: 'money',
    header: say('money'),
    align: 'right',
    cell: (order) => <span className="num">{say('moneyValue', { money: order.money })}</span>,
    value: (order) => order.money,
  },
  {
    id: 'payment_method',
    header: say('method'),
    cell: (order) => methodName(order.payment_method, say, methods),
    value: (order) => order.payment_method,
  },
  {
    id: 'complete_time',
    header: say('completed'),
    cell: (order) => <TimeText at={order.complete_time} />,
    value: (order) => isoTime(order.complete_time),
  },
  {
    id: 'trade_no',
    header: say('tradeNo'),
    cell: (order) => <CopyText text={order.trade_no} name={say('tradeNo')} />,
    value: (order) => order.trade_no,
  },
  {
    id: 'gateway_trade_no',
    header: say('gatewayNo'),
    hidden: true,
    card: 'none',
    cell: (order) => <span className="mono">{order.gateway_trade_no}</span>,
    value: (order) => order.gateway_trade_no,
  },
]

export const statusFacet = (say: SayOrder): Facet<'status'> => ({
  kind: 'choice',
  id: 'status',
  label: say('status'),
  options: orderStates.map((value) => ({ value, label: say(`status_${value}`) })),
})
