import { useNavigate } from '@tanstack/react-router'
import { longestUsername } from '@tollgate/contract/accounts/account-rules'
import { type FormEvent, useState } from 'react'
import { HumanCheckWidget, useTurnstile } from '../../components/identity/turnstile.tsx'
import { Field, SecretField } from '../../components/sign-in/field.tsx'
import { useFinishSignIn } from '../../components/sign-in/finish-sign-in.ts'
import { type Problem, problemOf, SignInProblem } from '../../components/sign-in/problem.tsx'
import classes from '../../components/sign-in/sign-in-page.module.css'
import { call } from '../../lib/api/api.ts'
import { calls } from '../../lib/api/contract.ts'
import { forgetInviteCode, inviteCode } from '../../lib/sign-in/invite-code.ts'
import { invitationPlace } from '../../lib/sign-in/kept-invitation.ts'
import { useStatus } from '../../lib/status.ts'
import { useSubmit } from '../../lib/submit.ts'
import { errorText } from '../../lib/text/error-text.ts'
import { useSearchParams } from '../../lib/url/search-params.ts'
import { EmailFields } from './email-fields.tsx'
import { type FieldName, firstWrong, valuesIn } from './fields.ts'
import { useRegisterMessages } from './messages.ts'

interface FieldProblem {
  what: Problem
  /** Absent when it is about no single field. */
  name: FieldName | undefined
}

/** Registers with a password and signs in. The login page takes over where a second proof is needed, and reports the success. */
export const RegisterForm = () => {
  const say = useRegisterMessages()
  const navigate = useNavigate()
  const finish = useFinishSignIn()
  const { email_verification, turnstile_check: checksHumans } = useStatus()
  const withEmail = email_verification === true
  const human = useTurnstile('register')
  const [problem, setProblem] = useState<FieldProblem>()
  const [search] = useSearchParams()
  // A visitor who came by an invitation's link continues with it, whatever pages were opened in between.
  const next = search.next ?? (sessionStorage.getItem(invitationPlace) === null ? undefined : '/join')
  const code = search.aff ?? inviteCode()
  const showProblem = (what: Problem | undefined, name?: FieldName): void =>
    setProblem(what ? { what, name } : undefined)
  const wrongOf = (name: FieldName): string | undefined =>
    problem !== undefined && problem.name === name ? errorText(problem.what) : undefined

  /** False where the login asks for more than the password, such as another human check. */
  const signIn = async (username: string, password: string): Promise<boolean> => {
    if (checksHumans) return false
    try {
      return await finish(await call(calls.login, { body: { username, password } }), { done: say('done'), next })
    } catch {
      return false
    }
  }
  const register = useSubmit(async (turnstile: string, values: ReturnType<typeof valuesIn>): Promise<void> => {
    await call(calls.register, { query: { turnstile }, body: { ...values, aff_code: code } })
    forgetInviteCode()
    const signedIn = await signIn(values.username, values.password)
    if (!signedIn) await navigate({ to: '/login', search: { done: 'registered', ...(next && { next }) } })
  })
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const form = event.currentTarget
    const values = valuesIn(form)
    const wrong = firstWrong(values, { withEmail })
    if (wrong) {
      form.querySelector<HTMLInputElement>(`#${wrong[0]}`)?.focus()
      return showProblem(say(wrong[1]), wrong[0])
    }
    const turnstile = human.take()
    if (turnstile === undefined) return showProblem(human.wait)
    showProblem(undefined)
    await register.submit(turnstile, values).catch((error: unknown) => showProblem(problemOf(error)))
  }
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <SignInProblem problem={problem?.name === undefined ? problem?.what : undefined} />
      {code !== '' && <p className={classes.remark}>{say('invited', { code })}</p>}
      <Field
        name="username"
        label={say('username')}
        hint={say('usernameHint')}
        autoComplete="username"
        maxLength={longestUsername}
        wrong={wrongOf('username')}
      />
      <SecretField
        name="password"
        label={say('password')}
        hint={say('passwordHint')}
        autoComplete="new-password"
        wrong={wrongOf('password')}
      />
      <SecretField name="password2" label={say('password2')} autoComplete="new-password" wrong={wrongOf('password2')} />
      {withEmail && <EmailFields wrongOf={wrongOf} onProblem={showProblem} />}
      <HumanCheckWidget {...human} />
      <button type="submit" className={classes.submit} disabled={register.busy} aria-busy={register.busy}>
        {register.busy ? say('busy') : say('submit')}
      </button>
    </form>
  )
}
