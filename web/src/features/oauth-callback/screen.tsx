import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { Mark } from '../../components/brand.tsx'
import { useFinishSignIn } from '../../components/sign-in/finish-sign-in.ts'
import { role } from '../../lib/api/contract.ts'
import { storedUser } from '../../lib/api/session.ts'
import { defineMessages } from '../../lib/i18n.ts'
import { forgetInviteCode } from '../../lib/sign-in/invite-code.ts'
import { requiredProviderOf } from '../../lib/sign-in/third-party.ts'
import { useStatus } from '../../lib/status.ts'
import { errorText } from '../../lib/text/error-text.ts'
import classes from './callback.module.css'
import { finishWay, type SignInOutcome, Unanswered } from './finish.ts'

const useOauthCallbackMessages = defineMessages('oauth-callback', {
  zh: {
    busy: '处理中...',
    bound: '绑定成功！',
    done: '登录成功！',
    failed: '操作失败，重定向至登录界面中...',
    goingBack: '操作失败，即将返回...',
    unanswered: '登录请求已失效，请重新登录',
    go: '立即前往',
  },
  en: {
    busy: 'Processing...',
    bound: 'Linked',
    done: 'Signed in',
    failed: 'Sign-in failed. Returning to the sign-in page…',
    goingBack: 'Something went wrong. Going back…',
    unanswered: 'This sign-in request has expired. Start again.',
    go: 'Continue',
  },
})

/** Time that a failure is shown before the next page opens. */
const readingMs = 4000

/** Administrators go to the settings; people who have no access there, to their own. */
const settingsPath = (): '/setting' | '/personal' =>
  (storedUser()?.role ?? 0) >= role.admin ? '/setting' : '/personal'

/** After a failure: visitors would be sent on from the settings to the login page. */
const failurePath = (): '/setting' | '/personal' | '/login' => (storedUser() ? settingsPath() : '/login')

const useOutcome = (): ((outcome: SignInOutcome) => Promise<void>) => {
  const navigate = useNavigate()
  const enter = useFinishSignIn()
  const say = useOauthCallbackMessages()
  return async (outcome) => {
    if (outcome.kind === 'bound') {
      await navigate({ to: settingsPath(), replace: true } as never)
      // The notifications belong to the console, which is loaded by now.
      const { notifyDone } = await import('../../lib/notify.tsx')
      return notifyDone(say('bound'))
    }
    const { result, next } = outcome
    if (await enter(result, { next, replace: true })) return forgetInviteCode()
    await navigate({ to: '/login', search: { step: '2fa', ...(next ? { next } : {}) }, replace: true } as never)
  }
}

/** Shows the failure, then opens the next page: the login page with the `provider` that the server says to sign in by. */
const Failure = ({ message, provider }: { message: string; provider: string | undefined }) => {
  const say = useOauthCallbackMessages()
  const navigate = useNavigate()
  const path = failurePath()
  const go = useRef(() => {})
  const search = path === '/login' && provider !== undefined ? { sso: provider } : {}
  go.current = () => void navigate({ to: path, search, replace: true } as never)
  useEffect(() => {
    const timer = setTimeout(() => go.current(), readingMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <>
      <div role="alert">
        <p className={classes.problem}>{message}</p>
        <p className="muted">{path === '/login' ? say('failed') : say('goingBack')}</p>
      </div>
      <button type="button" className="text-button" onClick={() => go.current()}>
        {say('go')}
      </button>
    </>
  )
}

/** Page to which a provider redirects after signing in. */
export const OauthCallbackScreen = () => {
  const say = useOauthCallbackMessages()
  const status = useStatus()
  const [problem, setProblem] = useState<{ message: string; provider: string | undefined }>()
  const settle = useRef(useOutcome())
  const explain = useRef((error: unknown): string => {
    if (error instanceof Unanswered) return say('unanswered')
    return errorText(error)
  })
  useEffect(() => {
    finishWay(new URL(window.location.href))
      .then((outcome) => settle.current(outcome))
      .catch((error: unknown) =>
        setProblem({ message: explain.current(error), provider: requiredProviderOf(error)?.slug }),
      )
  }, [])
  return (
    <main className={classes.page}>
      <div className={classes.box}>
        <h1 className={classes.brand}>
          <Mark />
          {status.system_name}
        </h1>
        {problem === undefined ? (
          <p role="status" className={classes.busy}>
            <span className={classes.spinner} aria-hidden="true" />
            {say('busy')}
          </p>
        ) : (
          <Failure {...problem} />
        )}
      </div>
    </main>
  )
}
