import { Button, Group, Modal, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTurnstile } from '../../../components/identity/turnstile.tsx'
import { call } from '../../../lib/api/api.ts'
import { calls, resendSeconds } from '../../../lib/api/contract.ts'
import { notifyDone } from '../../../lib/notify.tsx'
import { useRefresh } from '../../../lib/query.ts'
import { useCountdown } from '../../../lib/time/countdown.ts'
import { useBindingWords } from './binding-messages.ts'
import classes from './bindings.module.css'

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The address and the code that was sent to it. */
const EmailForm = ({ onClose }: { onClose: () => void }) => {
  const say = useBindingWords()
  const human = useTurnstile('verification')
  const refresh = useRefresh()
  const [email, setEmail] = useState('')
  const [code, setCode] = useState('')
  const [wait, startWaiting] = useCountdown()
  const [busy, setBusy] = useState<'sending' | 'binding'>()
  const [sent, setSent] = useState(false)
  const [problem, setProblem] = useState<string>()

  const attempt = async (kind: 'sending' | 'binding', work: () => Promise<void>): Promise<void> => {
    setBusy(kind)
    setProblem(undefined)
    try {
      await work()
    } catch (error) {
      setProblem(messageOf(error))
    }
    setBusy(undefined)
  }
  const send = async (): Promise<void> => {
    if (email.trim() === '') return setProblem(say('emailMissing'))
    const turnstile = human.take()
    if (turnstile === undefined) return setProblem(human.wait)
    await attempt('sending', async () => {
      await call(calls.sendVerificationCode, { query: { email: email.trim(), turnstile } })
      setSent(true)
      startWaiting(resendSeconds)
    })
  }
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (email.trim() === '') return setProblem(say('emailMissing'))
    if (code.trim() === '') return setProblem(say('codeMissing'))
    await attempt('binding', async () => {
      await call(calls.bindEmail, { query: { email: email.trim(), code: code.trim() } })
      notifyDone(say('emailBound'))
      onClose()
      await refresh(calls.listBindings, calls.getSelf)
    })
  }
  return (
    <form className={classes.form} onSubmit={(event) => void submit(event)} noValidate>
      <div role="alert">{problem && <div className={classes.problem}>{problem}</div>}</div>
      <div className={classes.withButton}>
        <TextInput
          type="email"
          label={say('email')}
          placeholder={say('emailPlace')}
          autoComplete="email"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          data-autofocus
        />
        <Button onClick={() => void send()} loading={busy === 'sending'} disabled={wait > 0}>
          {wait > 0 ? say('again', { seconds: wait }) : say('getCode')}
        </Button>
      </div>
      {human.widget}
      <TextInput
        label={say('code')}
        description={sent ? say('sent') : say('codeHint')}
        autoComplete="one-time-code"
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <Group justify="flex-end" mt="sm" gap={8}>
        <Button onClick={onClose}>{say('cancel')}</Button>
        <Button type="submit" variant="filled" loading={busy === 'binding'}>
          {say('bind')}
        </Button>
      </Group>
    </form>
  )
}

export const EmailBinding = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => {
  const say = useBindingWords()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={<strong className="strong">{say('emailTitle')}</strong>}
      withCloseButton={false}
    >
      <EmailForm onClose={onClose} />
    </Modal>
  )
}
