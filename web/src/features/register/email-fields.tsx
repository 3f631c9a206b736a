import { useState } from 'react'
import { HumanCheckWidget, useTurnstile } from '../../components/identity/turnstile.tsx'
import { Field } from '../../components/sign-in/field.tsx'
import { type Problem, problemOf } from '../../components/sign-in/problem.tsx'
import { call } from '../../lib/api/api.ts'
import { calls, resendSeconds } from '../../lib/api/contract.ts'
import { useSubmit } from '../../lib/submit.ts'
import { useCountdown } from '../../lib/time/countdown.ts'
import type { FieldName } from './fields.ts'
import { useRegisterMessages } from './messages.ts'

/** The address and the code that proves it. `wrong` names the field with an error, and the error. */
export const EmailFields = ({
  wrongOf,
  onProblem,
}: {
  wrongOf: (name: FieldName) => string | undefined
  onProblem: (what: Problem | undefined, name?: FieldName) => void
}) => {
  const say = useRegisterMessages()
  const human = useTurnstile('verification')
  const [email, setEmail] = useState('')
  const [wait, startWaiting] = useCountdown()
  const [sent, setSent] = useState(false)

  const sending = useSubmit(async (address: string, turnstile: string): Promise<void> => {
    await call(calls.sendVerificationCode, { query: { email: address, turnstile } })
    setSent(true)
    startWaiting(resendSeconds)
  })
  const { busy } = sending
  const send = async (): Promise<void> => {
    const address = email.trim()
    if (address === '') return onProblem(say('emailMissing'), 'email')
    const turnstile = human.take()
    if (turnstile === undefined) return onProblem(human.wait)
    onProblem(undefined)
    await sending.submit(address, turnstile).catch((error: unknown) => onProblem(problemOf(error)))
  }
  const label = busy ? say('sending') : wait > 0 ? say('getAgain', { seconds: wait }) : say('getCode')
  return (
    <>
      <Field
        name="email"
        type="email"
        label={say('email')}
        placeholder={say('emailPlace')}
        autoComplete="email"
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        wrong={wrongOf('email')}
        button={
          <button type="button" disabled={busy || wait > 0} onClick={() => void send()}>
            {label}
          </button>
        }
      />
      <HumanCheckWidget {...human} />
      <Field
        name="verification_code"
        label={say('code')}
        hint={sent ? say('sent') : say('codeHint')}
        autoComplete="one-time-code"
        maxLength={16}
        wrong={wrongOf('verification_code')}
      />
    </>
  )
}
