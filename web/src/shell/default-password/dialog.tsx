import { Button, Group, Modal } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useUiMessages } from '../../components/messages.ts'
import { usePasswordMessages } from './messages.ts'

/** Says that the default password is in use, and leads to where it is changed. */
export const DefaultPasswordDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => {
  const say = usePasswordMessages()
  const ui = useUiMessages()
  const navigate = useNavigate()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      // The form that it leads to takes the focus.
      returnFocus={false}
      closeButtonProps={{ 'aria-label': ui('close') }}
      title={<strong className="strong">{say('title')}</strong>}
    >
      <p className="muted">{say('text')}</p>
      <Group justify="flex-end" mt="lg" gap={8}>
        <Button onClick={onClose}>{say('later')}</Button>
        <Button
          variant="filled"
          data-autofocus
          onClick={() => {
            onClose()
            void navigate({ to: '/personal/$section', params: { section: 'security' }, hash: 'password' })
          }}
        >
          {say('change')}
        </Button>
      </Group>
    </Modal>
  )
}
