import { ConfirmAction } from '../../components/form/confirm-action.tsx'
import { ApiError, callWhole } from '../../lib/api/api.ts'
import { calls } from '../../lib/api/contract.ts'
import { notifyFailure } from '../../lib/notify.tsx'
import { useRefresh } from '../../lib/query.ts'
import { useSearchParams } from '../../lib/url/search-params.ts'
import { useAmountText } from './amount-text.ts'
import { useWalletWords } from './messages.ts'
import { methodName } from './methods.ts'
import { keepForm, openForm } from './opened-forms.ts'
import type { Payment } from './payment.ts'
import classes from './wallet.module.css'

/** Asks once more, makes the order and opens the payment page. */
export const ConfirmPayment = ({ payment, onClose }: { payment: Payment; onClose: () => void }) => {
  const say = useWalletWords()
  const amountText = useAmountText()
  const refresh = useRefresh()
  const [, setSearch] = useSearchParams()
  const { amount, method, money } = payment

  const pay = async (): Promise<void> => {
    try {
      const body = { amount, top_up_code: '', payment_method: method }
      const { data, url } = await callWhole(calls.payTopUp, { body })
      const order = data?.out_trade_no ?? ''
      keepForm(order, { url: String(url), fields: data ?? {} })
      setSearch({ order })
      openForm(order)
      await refresh(calls.listOwnOrders)
    } catch (error) {
      notifyFailure(error instanceof ApiError && error.status === 0 ? say('requestFailed') : error)
      throw error
    }
  }
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
            <span>{say('confirmMethod', { method: methodName(method, say) })}</span>
          </div>
          <p>
            {say('confirmAsk')} {say('confirmHint')}
          </p>
        </>
      }
      confirmLabel={say('confirm')}
      onConfirm={pay}
    />
  )
}
