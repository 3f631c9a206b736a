import type { Endpoint } from '@tollgate/contract'
import { lazy, type ReactNode, Suspense, useRef } from 'react'
import { words } from '../../lib/i18n.ts'
import { useStatus } from '../../lib/status.ts'
import type { Solution } from './turnstile-widget.tsx'

const TurnstileWidget = lazy(async () => ({ default: (await import('./turnstile-widget.tsx')).TurnstileWidget }))

const useWaitWords = words('turnstile-wait', {
  zh: { wait: '请稍后几秒重试，Turnstile 正在检查用户环境！' },
  en: { wait: 'Turnstile is still checking your browser, please try again in a few seconds' },
})

export interface HumanCheck {
  /** Render it near the button that makes the call. */
  widget: ReactNode
  /**
   * The token for one call, to be sent as the query parameter `turnstile`; a new one is prepared. Empty while the site asks
   * for no check; undefined while there is none yet, and then `wait` says so.
   */
  take: () => string | undefined
  wait: string
}

/**
 * The human check for one action, `human` of the endpoint; loaded only where the site asks for it.
 * `const human = useTurnstile('login')`, then `call(calls.login, { query: { turnstile: human.take() }, … })`.
 */
export const useTurnstile = (action: NonNullable<Endpoint['human']>): HumanCheck => {
  const say = useWaitWords()
  const { turnstile_check: on } = useStatus()
  const solution = useRef<Solution>({ token: undefined, used: () => {} })

  const take = (): string | undefined => {
    if (!on) return ''
    const { token, used } = solution.current
    if (token === undefined) return undefined
    solution.current.token = undefined
    used()
    return token
  }
  const widget = on ? (
    <Suspense>
      <TurnstileWidget action={action} solution={solution} />
    </Suspense>
  ) : null
  return { widget, take, wait: say('wait') }
}
