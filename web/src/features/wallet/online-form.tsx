import { Button, NumberInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useQuotaText } from '../../components/display/quota.tsx'
import { useOrderMessages } from '../../components/orders/messages.ts'
import { methodName, type PayMethods } from '../../components/orders/methods.ts'
import { calls, type TopUpInfo } from '../../lib/api/contract.ts'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import { notifyFailure } from '../../lib/notify.tsx'
import { useEndpoint } from '../../lib/query.ts'
import { useWalletMessages } from './messages.ts'
import { type Payment, useAmountText } from './payment.ts'
import classes from './wallet.module.css'

const quietMs = 300

interface AskedPrice {
  /** Two decimals; undefined until it is known for this amount. */
  readonly money: string | undefined
  readonly problem: string | undefined
}

/** The price of an amount, requested once the user stops typing. */
const usePrice = (amount: number): AskedPrice => {
  const [settled] = useDebouncedValue(amount, quietMs)
  const isReady = settled >= 1
  const price = useEndpoint(calls.quoteTopUp, { body: { amount: settled, top_up_code: '' } }, { enabled: isReady })
  const current = isReady && settled === amount && !price.isPlaceholderData
  return {
    money: current && !price.error ? price.data : undefined,
    problem: current ? price.error?.message : undefined,
  }
}

const ConfirmPayment = onDemand(async () => (await import('./confirm-payment.tsx')).ConfirmPayment)

const Presets = (props: { info: TopUpInfo; amount: number; onChoose: (amount: number) => void }) => {
  const say = useWalletMessages()
  const quotaText = useQuotaText()
  return (
    <fieldset className={classes.presets} aria-label={say('presets')}>
      {props.info.presets.map(({ amount, quota, money }) => (
        <button
          key={amount}
          type="button"
          className={classes.preset}
          aria-pressed={amount === props.amount}
          onClick={() => props.onChoose(amount)}
        >
          <strong className="num">{quotaText(quota)}</strong>{' '}
          <small className="num">{say('presetMoney', { money })}</small>
        </button>
      ))}
    </fieldset>
  )
}

/** The amount, its price, and the payment methods. */
export const OnlineForm = ({ info }: { info: TopUpInfo }) => {
  const say = useWalletMessages()
  const sayOrder = useOrderMessages()
  const amountText = useAmountText()
  const [amount, setAmount] = useState(info.least)
  const [paying, setPaying] = useState<Payment>()
  const { money, problem } = usePrice(amount)
  const tooSmall = amount < info.least ? say('tooSmall', { least: info.least }) : undefined

  const pay = ({ type, name }: PayMethods[number]): void => {
    if (tooSmall) notifyFailure(tooSmall)
    else setPaying({ amount, method: type, methodName: name, money })
  }
  const methods = info.methods.map((method) => ({ ...method, name: methodName(method.type, sayOrder, info.methods) }))
  return (
    <>
      {info.presets.length > 0 && <Presets info={info} amount={amount} onChoose={setAmount} />}
      <NumberInput
        label={money === undefined ? say('toPayUnknown') : say('toPay', { money })}
        placeholder={say('amountHint', { least: amountText(info.least) })}
        description={say('amountHint', { least: amountText(info.least) })}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        error={tooSmall ?? problem}
        value={amount}
        onChange={(input) => setAmount(Math.trunc(Number(input) || 0))}
        allowDecimal={false}
        allowNegative={false}
        thousandSeparator=","
        classNames={{ input: 'num' }}
      />
      <div className={classes.methods}>
        {methods.map((method, index) => (
          <Button
            key={method.type}
            size="md"
            variant={index === 0 ? 'filled' : 'default'}
            leftSection={method.color && <i className={classes.methodColor} style={{ background: method.color }} />}
            onClick={() => pay(method)}
          >
            {method.name}
          </Button>
        ))}
      </div>
      {paying && <ConfirmPayment payment={paying} onClose={() => setPaying(undefined)} />}
    </>
  )
}
