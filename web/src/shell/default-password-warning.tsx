import { Button, Group, Modal } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useUiWords } from '../components/messages.ts'
import { words } from '../lib/i18n.ts'
import { useSession } from '../lib/session.ts'

const useWarningWords = words('default-password', {
  zh: {
    title: '你正在使用默认密码！',
    text: '超级管理员 root 仍在使用默认密码 123456。任何人都能用它登录，请立即修改密码。',
    change: '去修改密码',
    later: '稍后',
  },
  en: {
    title: 'You are using the default password!',
    text: 'The super admin root still has the default password 123456. Anybody could log in with it; please change it now.',
    change: 'Change password',
    later: 'Later',
  },
})

const dismissedKey = 'default-password-dismissed'

/** A reload is the same visit; another tab is another. Where storage is forbidden, the warning comes with each page load. */
const wasDismissed = (): boolean => {
  try {
    return sessionStorage.getItem(dismissedKey) !== null
  } catch {
    return false
  }
}

const rememberDismissed = (): void => {
  try {
    sessionStorage.setItem(dismissedKey, '1')
  } catch {
    // Asked again, then.
  }
}

/** Warns once per visit while the default password is in use (mission document 1 §2). */
export const DefaultPasswordWarning = () => {
  const say = useWarningWords()
  const ui = useUiWords()
  const user = useSession()
  const navigate = useNavigate()
  const [dismissed, setDismissed] = useState(wasDismissed)
  const close = (): void => {
    rememberDismissed()
    setDismissed(true)
  }
  return (
    <Modal
      opened={user?.default_password === true && !dismissed}
      onClose={close}
      closeButtonProps={{ 'aria-label': ui('close') }}
      title={<strong className="strong">{say('title')}</strong>}
    >
      <p className="muted">{say('text')}</p>
      <Group justify="flex-end" mt="lg" gap={8}>
        <Button onClick={close}>{say('later')}</Button>
        <Button
          variant="filled"
          data-autofocus
          onClick={() => {
            close()
            void navigate({ to: '/personal', hash: 'password' })
          }}
        >
          {say('change')}
        </Button>
      </Group>
    </Modal>
  )
}
