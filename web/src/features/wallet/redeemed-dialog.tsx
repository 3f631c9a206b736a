import { Button, Modal } from '@mantine/core'
import { useQuotaText } from '../../components/display/quota.tsx'
import { useUiMessages } from '../../components/messages.ts'
import { useWalletMessages } from './messages.ts'

/** Says how much a code was worth. */
export const RedeemedDialog = ({ quota, onClose }: { quota: number; onClose: () => void }) => {
  const say = useWalletMessages()
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
