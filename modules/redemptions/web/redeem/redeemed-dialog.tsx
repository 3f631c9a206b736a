import { Button, Modal } from '@mantine/core'
import { useQuotaText } from '#web/components/display/quota.tsx'
import { useUiMessages } from '#web/components/messages.ts'
import { useRedeemMessages } from './messages.ts'

/** Says how much a code was worth. */
export const RedeemedDialog = ({ quota, onClose }: { quota: number; onClose: () => void }) => {
  const say = useRedeemMessages()
  const ui = useUiMessages()
  const quotaText = useQuotaText()
  return (
    <Modal
      opened
      onClose={onClose}
      title={<strong className="strong">{say('redeemed')}</strong>}
      closeButtonProps={{ 'aria-label': ui('close') }}
    >
      <p>{say('redeemedQuota', { quota: quotaText(quota) })}</p>
      <Button mt="md" variant="filled" onClick={onClose} data-autofocus>
        {ui('confirm')}
      </Button>
    </Modal>
  )
}
