import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { HumanCheckWidget, useTurnstile } from '../../components/identity/turnstile.tsx'
import { Field } from '../../components/sign-in/field.tsx'
import { type Problem, problemOf, SignInProblem } from '../../components/sign-in/problem.tsx'
import classes from '../../components/sign-in/sign-in-page.module.css'
import { SignInPage } from '../../components/sign-in/sign-in-page.tsx'
import { call } from '../../lib/api/api.ts'
import { calls, resendSeconds } from '../../lib/api/contract.ts'
import { useSubmit } from '../../lib/submit.ts'
import { useCountdown } from '../../lib/time/countdown.ts'
import { useResetMessages } from './messages.ts'

const RequestForm = () => {
  const say = useResetMessages()
  const human = useTurnstile('reset_password')
  const [wait, startWaiting] = useCountdown()
  const [sent, setSent] = useState(false)
  const [wrong, setWrong] = useState<string>()
  const [problem, setProblem] = useState<Problem>()

  const request = useSubmit(async (email: string, turnstile: string): Promise<void> => {
    await call(calls.requestPasswordReset, { query: { email, turnstile } })
    setSent(true)
    startWaiting(resendSeconds)
  })
  const { busy } = request
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const email = String(new FormData(event.currentTarget).get('email') ?? '').trim()
    setWrong(email === '' ? say('emailMissing') : undefined)
    if (email === '') return
    const turnstile = human.take()
    if (turnstile === undefined) return setProblem(human.wait)
    setProblem(undefined)
    await request.submit(email, turnstile).catch((error: unknown) => setProblem(problemOf(error)))
  }
  const label = busy ? say('busy') : wait > 0 ? say('again', { seconds: wait }) : say('submit')
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <SignInProblem problem={problem} />
      <div role="status">
        {sent && !problem && (
          <div className={classes.done}>
            {say('sent')} {say('sentText')}
          </div>
        )}
      </div>
      <Field name="email" type="email" label={say('email')} autoComplete="email" wrong={wrong} />
      <HumanCheckWidget {...human} />
      <button type="submit" className={classes.submit} disabled={busy || wait > 0} aria-busy={busy}>
        {label}
      </button>
    </form>
  )
}

/** Asks for a link that sets a new password. */
export const ResetRequestScreen = () => {
  const say = useResetMessages()
  return (
    <SignInPage>
      <div className={classes.form}>
        <h1>{say('title')}</h1>
        <p className="muted">{say('text')}</p>
        <RequestForm />
        <p className={classes.other}>
          {say('remembered')} <Link to="/login">{say('login')}</Link>
        </p>
      </div>
    </SignInPage>
  )
}
