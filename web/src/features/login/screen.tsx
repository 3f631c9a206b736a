import { Link, useRouter } from '@tanstack/react-router'
import { type FormEvent, lazy, Suspense, useState } from 'react'
import { Mark } from '../../components/brand.tsx'
import { Icon } from '../../components/icon.tsx'
import { pythonSnippet, Snippet } from '../../components/snippet.tsx'
import { call } from '../../lib/api.ts'
import { useBaseUrl } from '../../lib/base-url.ts'
import { calls } from '../../lib/contract.ts'
import { setLanguage, useLanguage } from '../../lib/i18n.ts'
import { useSearchParams } from '../../lib/search-params.ts'
import { useStatus } from '../../lib/status.ts'
import { setThemeMode, useScheme } from '../../lib/theme-mode.ts'
import { useEntering } from './entering.ts'
import classes from './login.module.css'
import { useLoginWords } from './messages.ts'
import { PasskeyButton } from './passkey-button.tsx'

const ThirdParty = lazy(async () => ({ default: (await import('./third-party.tsx')).ThirdParty }))

const SecondStep = lazy(async () => ({ default: (await import('./second-step.tsx')).SecondStep }))

const initialPassword = { username: 'root', password: '123456' }

const PasswordField = () => {
  const say = useLoginWords()
  const [shown, setShown] = useState(false)
  return (
    <div className={classes.field}>
      <label htmlFor="password">{say('password')}</label>
      <div className={classes.secret}>
        <input id="password" name="password" type={shown ? 'text' : 'password'} autoComplete="current-password" />
        <button type="button" aria-label={shown ? say('hide') : say('show')} onClick={() => setShown(!shown)}>
          <Icon name="eye" />
        </button>
      </div>
    </div>
  )
}

const LoginForm = ({ reason, onSecondStep }: { reason: string | undefined; onSecondStep: () => void }) => {
  const say = useLoginWords()
  const status = useStatus()
  const routes = useRouter().routesByPath
  const enter = useEntering()
  const [search] = useSearchParams()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState(reason ?? (search.expired === 'true' ? say('expired') : undefined))
  const fail = (error: unknown): void => setProblem(error instanceof Error ? error.message : String(error))

  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const given = { username: String(form.get('username') ?? '').trim(), password: String(form.get('password') ?? '') }
    if (!given.username || !given.password) return setProblem(say('missing'))
    setBusy(true)
    setProblem(undefined)
    try {
      const result = await call(calls.login, { body: given })
      const isDefault = given.username === initialPassword.username && given.password === initialPassword.password
      if (!(await enter(result, { isDefault }))) onSecondStep()
    } catch (error) {
      fail(error)
      setBusy(false)
    }
  }
  return (
    <form className={classes.form} onSubmit={(event) => void submit(event)} noValidate>
      <h1>{say('title')}</h1>
      <p className="muted">{say('text')}</p>
      <div role="alert">{problem && <div className={classes.problem}>{problem}</div>}</div>
      <div className={classes.field}>
        <label htmlFor="username">{say('username')}</label>
        <input id="username" name="username" autoComplete="username" autoCapitalize="none" spellCheck={false} />
      </div>
      <PasswordField />
      {'/reset' in routes && (
        <p className={classes.forgot}>
          <Link to={'/reset' as '/'}>{say('forgot')}</Link>
        </p>
      )}
      <button type="submit" className={classes.submit} disabled={busy} aria-busy={busy}>
        {busy ? say('busy') : say('submit')}
      </button>
      <div className={classes.passkey}>
        <PasskeyButton onFail={fail} />
      </div>
      {(status.github_oauth || status.oidc_enabled || status.linuxdo_oauth) && (
        <Suspense>
          <ThirdParty onFail={fail} />
        </Suspense>
      )}
      {'/register' in routes && (
        <p className={classes.register}>
          {say('noAccount')} <Link to={'/register' as '/'}>{say('register')}</Link>
        </p>
      )}
    </form>
  )
}

/** The login page. It stands alone, without the console's components, so that it loads at once. */
export const LoginScreen = () => {
  const say = useLoginWords()
  const status = useStatus()
  const scheme = useScheme()
  const language = useLanguage()
  const baseUrl = useBaseUrl()
  const [search] = useSearchParams()
  // Ways back from other sites come here for the second step.
  const [secondStep, setSecondStep] = useState(search.step === '2fa')
  const [reason, setReason] = useState<string>()
  return (
    <main className={classes.page}>
      <section className={classes.left}>
        <div className={classes.tools}>
          <button
            type="button"
            aria-label={say('theme')}
            onClick={() => setThemeMode(scheme === 'dark' ? 'light' : 'dark')}
          >
            <Icon name={scheme === 'dark' ? 'moon' : 'sun'} />
          </button>
          <button
            type="button"
            lang={language === 'zh' ? 'en' : 'zh'}
            onClick={() => void setLanguage(language === 'zh' ? 'en' : 'zh')}
          >
            {say('language')}
          </button>
        </div>
        <div className={classes.column}>
          <Link to="/" className={classes.brand}>
            <Mark />
            {status.system_name}
          </Link>
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
        </div>
      </section>
      <section className={classes.right}>
        <div>
          <p className={classes.promise}>{say('promise')}</p>
          <Snippet code={pythonSnippet(baseUrl)} />
        </div>
      </section>
    </main>
  )
}
