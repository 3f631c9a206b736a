import { Button, Group, Modal } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useUiMessages } from '../components/messages.ts'
import { defineMessages } from '../lib/i18n.ts'

const useWarningMessages = defineMessages('default-password', {
  zh: {
    title: '你正在使用默认密码！',
    text: '超级管理员 root 仍在使用默认密码 123456。任何人都能用它登录，请立即修改密码。',
    change: '去修改密码',
    later: '稍后',
  },
  en: {
    title: 'You are using the default password',
    text: 'The super admin root still has the default password 123456. Anyone can sign in with it; change it now.',
    change: 'Change password',
    later: 'Later',
  },
})

/** Says that the default password is in use, and leads to where it is changed. */
export const DefaultPasswordDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => {
  const say = useWarningMessages()
  const ui = useUiMessages()
  const navigate = useNavigate()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
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
            void navigate({ to: '/personal', hash: 'password' })
          }}
        >
          {say('change')}
        </Button>
      </Group>
    </Modal>
  )
}
