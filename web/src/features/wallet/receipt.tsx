import { createPortal } from 'react-dom'
import { useQuotaText } from '../../components/display/quota.tsx'
import { useMomentText } from '../../components/display/time/time-text.tsx'
import { useOrderMessages } from '../../components/orders/messages.ts'
import { methodName } from '../../components/orders/methods.ts'
import type { TopUpOrder } from '../../lib/api/contract.ts'
import { useStatus } from '../../lib/status.ts'
import { useWalletMessages } from './messages.ts'
import classes from './receipt.module.css'

/** The receipt of a paid order. It is drawn on paper alone: while it is in the page, printing prints it and nothing else. */
export const Receipt = ({ order }: { order: TopUpOrder }) => {
  const say = useWalletMessages()
  const sayOrder = useOrderMessages()
  const { system_name } = useStatus()
  const quotaText = useQuotaText()
  const moment = useMomentText()
  const lines = [
    [sayOrder('tradeNo'), order.trade_no],
    [sayOrder('user'), `${order.username} #${order.user_id}`],
    [sayOrder('created'), moment(order.create_time)],
    [sayOrder('completed'), moment(order.complete_time)],
    [sayOrder('quota'), quotaText(order.quota)],
    [sayOrder('method'), methodName(order.payment_method, sayOrder)],
    [sayOrder('money'), sayOrder('moneyValue', { money: order.money })],
  ] as const
  return createPortal(
    <article className={classes.receipt} data-testid="receipt">
      <p>{system_name}</p>
      <h1>{say('receipt')}</h1>
      <dl>
        {lines.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className="num">{value}</dd>
          </div>
        ))}
      </dl>
    </article>,
    document.body,
  )
}
