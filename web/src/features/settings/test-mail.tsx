import { Button, Group, Modal, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { calls, role } from '../../lib/contract.ts'
import { useAction } from '../../lib/query.ts'
import { useSettingWords } from './messages.ts'
import { keysOf, sectionOf } from './registry.ts'
import classes from './settings.module.css'
import { useSettings } from './settings-state.ts'

/** Sends a mail with the settings as they are saved; what the mail server says against it stays in sight. */
export const TestMail = () => {
  const say = useSettingWords()
  const settings = useSettings()
  const [open, setOpen] = useState(false)
  const [to, setTo] = useState('')
  const send = useAction(calls.sendTestMail, { done: say('mailSent'), onDone: () => setOpen(false), quiet: true })
  const section = sectionOf('SMTPServer')
  const unsaved = section && keysOf(section, settings.role).some((key) => settings.changed.includes(key))
  if (settings.role < role.root) return null
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    // The failure is shown under the field.
    send.run({ body: { to: to.trim() } }).catch(() => undefined)
  }
  return (
    <>
      <Button onClick={() => setOpen(true)} disabled={unsaved} title={unsaved ? say('mailUnsaved') : undefined}>
        {say('mailTest')}
      </Button>
      <Modal
        opened={open}
        onClose={() => setOpen(false)}
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
            <Button onClick={() => setOpen(false)}>{say('cancel')}</Button>
            <Button type="submit" variant="filled" loading={send.busy}>
              {say('mailSend')}
            </Button>
          </Group>
        </form>
      </Modal>
    </>
  )
}
