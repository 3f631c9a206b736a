import { Modal, Textarea } from '@mantine/core'
import { useUiMessages } from '../messages.ts'

/** Shows a text to be copied by hand, where the browser forbids scripts to copy. */
export const CopyByHand = ({ text, onClose }: { text: string; onClose: () => void }) => {
  const say = useUiMessages()
  return (
    <Modal opened onClose={onClose} title={say('copyFailed')} closeButtonProps={{ 'aria-label': say('close') }}>
      <Textarea
        aria-label={say('copyFailed')}
        value={text}
        readOnly
        autosize
        data-autofocus
        onFocus={(event) => event.currentTarget.select()}
        classNames={{ input: 'mono' }}
      />
    </Modal>
  )
}
