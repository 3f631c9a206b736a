import { ConfirmAction } from '../../components/form/confirm-action.tsx'
import { ApiError, callWhole } from '../../lib/api/api.ts'
import { calls } from '../../lib/api/contract.ts'
import { useAction } from '../../lib/query.ts'
import { useSearchParams } from '../../lib/url/search-params.ts'
import { useWalletMessages } from './messages.ts'
import { type Payment, useAmountText } from './payment.ts'
import { keepForm, openForm } from './post-form.ts'
import classes from './wallet.module.css'

/** Asks once more, makes the order and opens the payment page. */
export const ConfirmPayment = ({ payment, onClose }: { payment: Payment; onClose: () => void }) => {
  const say = useWalletMessages()
  const amountText = useAmountText()
  const [, setSearch] = useSearchParams()
  const { amount, method, methodName, money } = payment

  const begin = async (): Promise<void> => {
    try {
      const body = { amount, top_up_code: '', payment_method: method }
      const { data, url } = await callWhole(calls.payTopUp, { body })
      const order = data?.out_trade_no ?? ''
      keepForm(order, { url: String(url), fields: data ?? {} })
      setSearch({ order })
      openForm(order)
    } catch (error) {
      throw error instanceof ApiError && error.status === 0 ? new Error(say('requestFailed')) : error
    }
  }
  const pay = useAction(begin, { refresh: [calls.listOwnOrders] })
  return (
    <ConfirmAction
      opened
      onClose={onClose}
      title={say('confirmTitle')}
      effect={
        <>
          <div className={classes.facts}>
            <span>{say('confirmAmount', { amount: amountText(amount) })}</span>
            {money !== undefined && <span>{say('confirmMoney', { money })}</span>}
            <span>{say('confirmMethod', { method: methodName })}</span>
          </div>
          <p>
            {say('confirmAsk')} {say('confirmHint')}
          </p>
        </>
      }
      confirmLabel={say('confirm')}
      onConfirm={() => pay.submit()}
    />
  )
}
