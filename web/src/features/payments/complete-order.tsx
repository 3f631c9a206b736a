import { Button, Group, Modal, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useQuotaText } from '../../components/display/quota.tsx'
import { Failure } from '../../components/form/failure.tsx'
import { useUiMessages } from '../../components/messages.ts'
import { calls, type TopUpOrder } from '../../lib/api/contract.ts'
import { useAction } from '../../lib/query.ts'
import { usePaymentMessages } from './messages.ts'

const longestReason = 500

/** Asks for the reason, then credits an order that the gateway can neither report nor confirm. */
export const CompleteOrder = ({ order, onClose }: { order: TopUpOrder; onClose: () => void }) => {
  const say = usePaymentMessages()
  const sayUi = useUiMessages()
  const quotaText = useQuotaText()
  const [reason, setReason] = useState('')
  const complete = useAction(calls.completeOrder, {
    refresh: [calls.listOrders, calls.listOwnOrders, calls.getSelf],
    done: say('completed'),
  })
  const submit = async (): Promise<void> => {
    await complete.submit({ params: { id: order.id }, body: { reason } })
    onClose()
  }
  const { username, user_id, money, quota, trade_no } = order
  const effect = { user: username || `#${user_id}`, quota: quotaText(quota), money, order: trade_no }
  return (
    <Modal opened onClose={onClose} title={<strong className="strong">{say('completeTitle')}</strong>}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          // The failure is shown above the buttons.
          submit().catch(() => undefined)
        }}
      >
        <p className="muted">{say('completeEffect', effect)}</p>
        <Textarea
          mt="sm"
          label={say('reason')}
          description={say('reasonHint')}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          maxLength={longestReason}
          autosize
          minRows={2}
          required
          data-autofocus
        />
        {complete.error && <Failure error={complete.error} />}
        <Group justify="flex-end" mt="lg" gap={8}>
          <Button onClick={onClose}>{sayUi('cancel')}</Button>
          <Button type="submit" variant="filled" loading={complete.busy} disabled={reason.trim() === ''}>
            {say('complete')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
