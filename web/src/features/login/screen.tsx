import { Link } from '@tanstack/react-router'
import { type FormEvent, lazy, Suspense, useEffect, useState } from 'react'
import { HumanCheckWidget, useTurnstile } from '../../components/identity/turnstile.tsx'
import { possibleSignInWays } from '../../components/parts/sign-in-ways.ts'
import { Field, SecretField } from '../../components/sign-in/field.tsx'
import { useFinishSignIn } from '../../components/sign-in/finish-sign-in.ts'
import { type Problem, problemOf, SignInProblem } from '../../components/sign-in/problem.tsx'
import frame from '../../components/sign-in/sign-in-page.module.css'
import { SignInPage } from '../../components/sign-in/sign-in-page.tsx'
import { call } from '../../lib/api/api.ts'
import { calls } from '../../lib/api/contract.ts'
import { keepInviteCode } from '../../lib/sign-in/invite-code.ts'
import { hasThirdParty, providerOfLink } from '../../lib/sign-in/third-party.ts'
import { useStatus } from '../../lib/status.ts'
import { useSubmit } from '../../lib/submit.ts'
import { useSearchParams } from '../../lib/url/search-params.ts'
import classes from './login.module.css'
import { useLoginMessages } from './messages.ts'

const ThirdParty = lazy(async () => ({
  default: (await import('../../components/sign-in/third-party/third-party.tsx')).ThirdParty,
}))

const WayButton = lazy(async () => ({ default: (await import('./way-button.tsx')).WayButton }))

const SecondStep = lazy(async () => ({ default: (await import('./second-step.tsx')).SecondStep }))

/** The notice above the form, by the `done` of the address: the step that led here. */
const doneBefore = ['registered', 'loggedOut', 'deleted'] as const

const initialPassword = { username: 'root', password: '123456' }

const LoginForm = ({ reason, onSecondStep }: { reason: string | undefined; onSecondStep: () => void }) => {
  const say = useLoginMessages()
  const status = useStatus()
  const canRegister = !status.self_use_mode_enabled && status.register_enabled !== false
  const enter = useFinishSignIn()
  const [search] = useSearchParams()
  const done = doneBefore.find((name) => name === search.done)
  const human = useTurnstile('login')
  const [problem, setProblem] = useState<Problem | undefined>(
    reason ?? (search.expired === 'true' ? say('expired') : undefined),
  )
  const fail = (error: unknown): void => setProblem(problemOf(error))

  const login = useSubmit(async (turnstile: string, credentials: typeof initialPassword): Promise<void> => {
    const result = await call(calls.login, { query: { turnstile }, body: credentials })
    const isDefault =
      credentials.username === initialPassword.username && credentials.password === initialPassword.password
    if (!(await enter(result, { isDefault }))) onSecondStep()
  })
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const credentials = {
      username: String(form.get('username') ?? '').trim(),
      password: String(form.get('password') ?? ''),
    }
    if (!credentials.username || !credentials.password) return setProblem(say('missing'))
    const turnstile = human.take()
    if (turnstile === undefined) return setProblem(human.wait)
    setProblem(undefined)
    await login.submit(turnstile, credentials).catch(fail)
  }
  return (
    <form className={frame.form} onSubmit={(event) => void submit(event)} noValidate>
      <h1>{say('title')}</h1>
      <p className="muted">{say('text')}</p>
      <SignInProblem problem={problem} />
      {done && !problem && (
        <div role="status" className={frame.done}>
          {say(done)}
        </div>
      )}
      <Field name="username" label={say('username')} autoComplete="username" />
      <SecretField name="password" label={say('password')} autoComplete="current-password" />
      <p className={classes.forgot}>
        <Link to="/reset">{say('forgot')}</Link>
      </p>
      <HumanCheckWidget {...human} />
      <button type="submit" className={frame.submit} disabled={login.busy} aria-busy={login.busy}>
        {login.busy ? say('busy') : say('submit')}
      </button>
      {possibleSignInWays().map((way) => (
        <div key={way.method} className={classes.way}>
          <Suspense>
            <WayButton way={way} onFail={fail} />
          </Suspense>
        </div>
      ))}
      {(hasThirdParty(status) || providerOfLink(search.sso) !== undefined) && (
        <Suspense>
          <ThirdParty onFail={fail} onSecondStep={onSecondStep} />
        </Suspense>
      )}
      {canRegister && (
        <p className={frame.other}>
          {say('noAccount')} <Link to="/register">{say('register')}</Link>
        </p>
      )}
    </form>
  )
}

/** The login page. */
export const LoginScreen = () => {
  const [search] = useSearchParams()
  // Ways back from other sites come here for the second step.
  const [secondStep, setSecondStep] = useState(search.step === '2fa')
  const [reason, setReason] = useState<string>()
  useEffect(() => keepInviteCode(search.aff), [search.aff])
  return (
    <SignInPage>
      {secondStep ? (
        <Suspense>
          <SecondStep
            onBack={(why) => {
              setReason(why)
              setSecondStep(false)
            }}
          />
        </Suspense>
      ) : (
        <LoginForm reason={reason} onSecondStep={() => setSecondStep(true)} />
      )}
    </SignInPage>
  )
}
