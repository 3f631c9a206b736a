import { Button, Group, Modal, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { calls } from '../../lib/api/contract.ts'
import { useAction } from '../../lib/query.ts'
import { useSettingMessages } from './messages.ts'
import classes from './settings.module.css'

/** Asks for an address and sends a mail there; the mail server's error stays visible. */
export const TestMailDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => {
  const say = useSettingMessages()
  const [to, setTo] = useState('')
  const send = useAction(calls.sendTestMail, { done: say('mailSent'), onDone: onClose })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    // The failure is shown under the field.
    send.submit({ body: { to: to.trim() } }).catch(() => undefined)
  }
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      withCloseButton={false}
      title={<strong className="strong">{say('mailTest')}</strong>}
    >
      <form onSubmit={submit}>
        <TextInput
          label={say('mailTo')}
          description={say('mailToHint')}
          value={to}
          onChange={(event) => setTo(event.currentTarget.value)}
          inputMode="email"
          autoComplete="off"
          data-autofocus
        />
        {send.error && (
          <p className={classes.error} role="alert">
            {send.error.message}
          </p>
        )}
        <Group justify="flex-end" mt="lg" gap={8}>
          <Button onClick={onClose}>{say('cancel')}</Button>
          <Button type="submit" variant="filled" loading={send.busy}>
            {say('mailSend')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
