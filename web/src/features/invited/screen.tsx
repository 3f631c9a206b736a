import { Link } from '@tanstack/react-router'
import { longestPassword, shortestPassword } from '@tollgate/contract/accounts/account-rules'
import { type FormEvent, useState } from 'react'
import { Field, SecretField } from '../../components/sign-in/field.tsx'
import { type Problem, problemOf, SignInProblem } from '../../components/sign-in/problem.tsx'
import classes from '../../components/sign-in/sign-in-page.module.css'
import { SignInPage } from '../../components/sign-in/sign-in-page.tsx'
import { call } from '../../lib/api/api.ts'
import { calls } from '../../lib/api/contract.ts'
import { useSubmit } from '../../lib/submit.ts'
import { useSearchParams } from '../../lib/url/search-params.ts'
import { useInvitedMessages } from './messages.ts'

interface Invitation {
  readonly id: number
  readonly name: string
  readonly secret: string
}

const PasswordForm = ({ invitation, onDone }: { invitation: Invitation; onDone: () => void }) => {
  const say = useInvitedMessages()
  const { id, name, secret } = invitation
  const [wrong, setWrong] = useState<string>()
  const [problem, setProblem] = useState<Problem>()
  const setting = useSubmit(async (password: string): Promise<void> => {
    await call(calls.acceptUserInvitation, { body: { id, secret, password } })
    onDone()
  })
  const wrongIn = (password: string): string | undefined => {
    if (password === '') return say('missing')
    if (password.length < shortestPassword) return say('short')
    return password.length > longestPassword ? say('long') : undefined
  }
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = event.currentTarget
    const password = String(new FormData(form).get('password') ?? '')
    const found = wrongIn(password)
    setWrong(found)
    setProblem(undefined)
    if (found === undefined) setting.submit(password).catch((error: unknown) => setProblem(problemOf(error)))
    else form.querySelector<HTMLInputElement>('#password')?.focus()
  }
  return (
    <form onSubmit={submit} noValidate>
      <p className="muted">{say('text')}</p>
      <SignInProblem problem={problem} />
      <Field name="username" label={say('username')} value={name} readOnly autoComplete="username" />
      <SecretField
        name="password"
        label={say('password')}
        hint={say('passwordHint')}
        autoComplete="new-password"
        wrong={wrong}
      />
      <button type="submit" className={classes.submit} disabled={setting.busy} aria-busy={setting.busy}>
        {setting.busy ? say('busy') : say('confirm')}
      </button>
    </form>
  )
}

/** Page of an invitation's link: the new user sets the first password. The secret stands behind `#`, which no server sees. */
export const InvitedScreen = () => {
  const say = useInvitedMessages()
  const [{ id = '', name = '' }] = useSearchParams()
  const [secret] = useState(() => window.location.hash.slice(1))
  const [done, setDone] = useState(false)
  const isLink = /^\d{1,15}$/.test(id) && /^[A-Za-z0-9]{43}$/.test(secret)
  return (
    <SignInPage>
      <div className={classes.form}>
        <h1>{say('title')}</h1>
        {!isLink && <p className={classes.problem}>{say('badLink')}</p>}
        {isLink && !done && <PasswordForm invitation={{ id: Number(id), name, secret }} onDone={() => setDone(true)} />}
        {done && (
          <div role="status" className={classes.done}>
            {say('done')}
          </div>
        )}
        {done && (
          <p className={classes.other}>
            <Link to="/login">{say('goLogin')}</Link>
          </p>
        )}
      </div>
    </SignInPage>
  )
}
