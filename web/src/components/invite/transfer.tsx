import { Button, Group, Modal } from '@mantine/core'
import { useForm } from '@mantine/form'
import { calls } from '../../lib/api/contract.ts'
import { useAction } from '../../lib/query.ts'
import { useStatus } from '../../lib/status.ts'
import { formatExactQuota } from '../../lib/text/format.ts'
import { useQuotaText } from '../display/quota.tsx'
import { QuotaInput } from '../form/quota-input.tsx'
import { useUiMessages } from '../messages.ts'
import { useInviteMessages } from './messages.ts'

/** Moves earnings to the balance: at least one unit of currency. */
export const Transfer = ({ available, onClose }: { available: number; onClose: () => void }) => {
  const say = useInviteMessages()
  const ui = useUiMessages()
  const quotaText = useQuotaText()
  const status = useStatus()
  const least = status.quota_per_unit
  const form = useForm({
    initialValues: { quota: least },
    validate: {
      quota: (quota) =>
        quota < least ? say('tooLow', { amount: quotaText(least) }) : quota > available ? say('tooHigh') : null,
    },
  })
  const transfer = useAction(calls.transferAffQuota, {
    refresh: [calls.getSelf],
    done: say('done'),
    onDone: onClose,
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={<strong className="strong">{say('transferTitle')}</strong>}
      closeButtonProps={{ 'aria-label': ui('close') }}
    >
      <form noValidate onSubmit={form.onSubmit((body) => void transfer.run({ body }))}>
        <p className="muted">
          {say('available')} <strong className="strong num">{formatExactQuota(available, status)}</strong>
        </p>
        <QuotaInput
          mt="sm"
          label={`${say('amount')} (${say('least', { amount: quotaText(least) })})`}
          data-autofocus
          {...form.getInputProps('quota')}
          value={form.getValues().quota}
        />
        <Group justify="space-between" mt="lg" gap={8}>
          <Button variant="subtle" onClick={() => form.setFieldValue('quota', available)}>
            {say('all')}
          </Button>
          <Group gap={8}>
            <Button onClick={onClose} disabled={transfer.busy}>
              {ui('cancel')}
            </Button>
            <Button type="submit" variant="filled" loading={transfer.busy}>
              {say('transfer')}
            </Button>
          </Group>
        </Group>
      </form>
    </Modal>
  )
}
