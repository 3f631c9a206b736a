import { TextInput } from '@mantine/core'
import { longestReason } from '@tollgate/contract/accounts/account-rules'
import { useState } from 'react'
import { useQuotaText } from '#web/components/display/quota.tsx'
import { ConfirmAction } from '#web/components/form/confirm-action.tsx'
import { QuotaInput } from '#web/components/form/quota-input.tsx'
import { calls, type TodayCard } from '#web/lib/api/contract.ts'
import { notifyOffer } from '#web/lib/notify.tsx'
import { useAction } from '#web/lib/query.ts'
import { useStatus } from '#web/lib/status.ts'
import { newFormId } from '#web/lib/submit.ts'
import { useTodayMessages } from '../messages.ts'
import { useCardMessages } from './card-messages.ts'
import classes from './cards.module.css'

const suggested = 5
const presets = [1, suggested, 10, 50] as const
const refreshed = [calls.getToday]

/** Adds an amount to the balance of a card's user and offers to take it away again; each happens once for one dialog. */
const useGive = (card: TodayCard) => {
  const say = useCardMessages()
  const sayToday = useTodayMessages()
  const quota = useQuotaText()
  const [formId] = useState(newFormId)
  const change = (quota_delta: number, reason: string, adjustment: string) => ({
    body: { id: card.object_id, quota_delta, reason, adjustment: `${formId}_${adjustment}` },
  })
  const take = useAction(calls.updateUser, { done: say('takenBack', { name: card.name }), refresh: refreshed })
  const give = useAction(calls.updateUser, { refresh: refreshed })
  return (amount: number, reason: string): Promise<void> =>
    give.submit(change(amount, reason, String(amount))).then(() => {
      const undo = sayToday('undo')
      notifyOffer(say('given', { name: card.name, amount: quota(amount) }), undo, () => {
        void take.run(change(-amount, `${undo}: ${reason}`.slice(0, longestReason), `undo_${amount}`))
      })
    })
}

/** Asks how much a user whose calls were refused is given, and gives it. */
export const GiveBalance = ({ card, onClose }: { card: TodayCard; onClose: () => void }) => {
  const say = useCardMessages()
  const quota = useQuotaText()
  const { quota_per_unit: perUnit } = useStatus()
  const [amount, setAmount] = useState(suggested * perUnit)
  const [reason, setReason] = useState(() => say('giveReason'))
  const give = useGive(card)
  return (
    <ConfirmAction
      opened
      onClose={onClose}
      title={say('giveTitle', { name: card.name })}
      confirmLabel={say('give', { amount: quota(amount) })}
      isIncomplete={amount <= 0 || reason.trim() === ''}
      onConfirm={() => give(amount, reason.trim())}
      effect={
        <div className={classes.give}>
          <QuotaInput label={say('giveAmount')} value={amount} onChange={setAmount} presets={presets} />
          <p className="num" aria-live="polite">
            {say('giveSum', { from: quota(card.amount), to: quota(card.amount + amount) })}
          </p>
          <TextInput
            label={say('giveWhy')}
            value={reason}
            maxLength={longestReason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        </div>
      }
    />
  )
}
