import { Button, Group, Modal, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { HumanCheckWidget, useTurnstile } from '../../../components/identity/turnstile.tsx'
import { isGivenUp } from '../../../lib/api/api.ts'
import { calls, resendSeconds } from '../../../lib/api/contract.ts'
import { useAction } from '../../../lib/query.ts'
import { errorText } from '../../../lib/text/error-text.ts'
import { useCountdown } from '../../../lib/time/countdown.ts'
import { useBindingMessages } from './binding-messages.ts'
import classes from './bindings.module.css'

/** The address and the code that was sent to it. */
const EmailForm = ({ onClose }: { onClose: () => void }) => {
  const say = useBindingMessages()
  const human = useTurnstile('verification')
  const [email, setEmail] = useState('')
  const [code, setCode] = useState('')
  const [wait, startWaiting] = useCountdown()
  const [sent, setSent] = useState(false)
  const [problem, setProblem] = useState<string>()

  const fail = (error: unknown): void => setProblem(isGivenUp(error) ? undefined : errorText(error))
  const sending = useAction(calls.sendVerificationCode, {
    onDone: () => {
      setSent(true)
      startWaiting(resendSeconds)
    },
  })
  const binding = useAction(calls.bindEmail, {
    done: say('emailBound'),
    refresh: [calls.listBindings, calls.getSelf],
    onDone: onClose,
  })
  const send = async (): Promise<void> => {
    if (email.trim() === '') return setProblem(say('emailMissing'))
    const turnstile = human.take()
    if (turnstile === undefined) return setProblem(human.wait)
    setProblem(undefined)
    await sending.submit({ query: { email: email.trim(), turnstile } }).catch(fail)
  }
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (email.trim() === '') return setProblem(say('emailMissing'))
    if (code.trim() === '') return setProblem(say('codeMissing'))
    setProblem(undefined)
    await binding.submit({ query: { email: email.trim(), code: code.trim() } }).catch(fail)
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
        <Button onClick={() => void send()} loading={sending.busy} disabled={wait > 0}>
          {wait > 0 ? say('again', { seconds: wait }) : say('getCode')}
        </Button>
      </div>
      <HumanCheckWidget {...human} />
      <TextInput
        label={say('code')}
        description={sent ? say('sent') : say('codeHint')}
        autoComplete="one-time-code"
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <Group justify="flex-end" mt="sm" gap={8}>
        <Button onClick={onClose}>{say('cancel')}</Button>
        <Button type="submit" variant="filled" loading={binding.busy}>
          {say('bind')}
        </Button>
      </Group>
    </form>
  )
}

export const EmailBinding = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => {
  const say = useBindingMessages()
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
