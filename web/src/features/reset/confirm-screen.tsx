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
import { ResetDone } from './done.tsx'
import { useResetMessages } from './messages.ts'

type Wrong = Partial<Record<'password' | 'password2', string>>

const ConfirmForm = ({ email, token, onDone }: { email: string; token: string; onDone: (made: string) => void }) => {
  const say = useResetMessages()
  const [wrong, setWrong] = useState<Wrong>({})
  const [problem, setProblem] = useState<Problem>()

  const resetting = useSubmit(async (password: string | undefined): Promise<void> => {
    const body = { email, token, ...(password === undefined ? {} : { password }) }
    onDone((await call(calls.resetPassword, { body })) ?? '')
  })
  const { busy } = resetting
  const reset = async (password: string | undefined): Promise<void> => {
    setProblem(undefined)
    await resetting.submit(password).catch((error: unknown) => setProblem(problemOf(error)))
  }
  const wrongIn = (password: string, password2: string): Wrong => {
    if (password === '') return { password: say('passwordMissing') }
    if (password.length < shortestPassword) return { password: say('short') }
    if (password.length > longestPassword) return { password: say('long') }
    return password === password2 ? {} : { password2: say('different') }
  }
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = event.currentTarget
    const data = new FormData(form)
    const password = String(data.get('password') ?? '')
    const found = wrongIn(password, String(data.get('password2') ?? ''))
    setWrong(found)
    const [first] = Object.keys(found)
    if (first === undefined) void reset(password)
    else form.querySelector<HTMLInputElement>(`#${first}`)?.focus()
  }
  return (
    <form onSubmit={submit} noValidate>
      <p className="muted">{say('confirmText')}</p>
      <SignInProblem problem={problem} />
      <Field name="email" type="email" label={say('email')} value={email} readOnly autoComplete="username" />
      <SecretField
        name="password"
        label={say('password')}
        hint={say('passwordHint')}
        autoComplete="new-password"
        wrong={wrong.password}
      />
      <SecretField name="password2" label={say('password2')} autoComplete="new-password" wrong={wrong.password2} />
      <button type="submit" className={classes.submit} disabled={busy} aria-busy={busy}>
        {busy ? say('busy') : say('confirm')}
      </button>
      <p className={classes.other}>
        <button type="button" className="text-button" disabled={busy} onClick={() => void reset(undefined)}>
          {say('generate')}
        </button>
      </p>
    </form>
  )
}

/** Page of a reset mail's link: a new password, typed or generated. */
export const ResetConfirmScreen = () => {
  const say = useResetMessages()
  const [{ email = '', token = '' }] = useSearchParams()
  const [made, setMade] = useState<string>()
  const isLink = email !== '' && token !== ''
  return (
    <SignInPage>
      <div className={classes.form}>
        <h1>{say('confirmTitle')}</h1>
        {made !== undefined && <ResetDone made={made} />}
        {made === undefined && isLink && <ConfirmForm email={email} token={token} onDone={setMade} />}
        {!isLink && <p className={classes.problem}>{say('badLink')}</p>}
        {made === undefined && (
          <p className={classes.other}>
            <Link to="/reset">{say('startOver')}</Link>
          </p>
        )}
      </div>
    </SignInPage>
  )
}
