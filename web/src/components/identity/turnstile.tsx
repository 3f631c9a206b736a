import type { Endpoint } from '@tollgate/contract'
import { lazy, type RefObject, Suspense, useRef } from 'react'
import { defineMessages } from '../../lib/i18n.ts'
import { useStatus } from '../../lib/status.ts'
import type { Solution } from './turnstile-widget.tsx'

const TurnstileWidget = lazy(async () => ({ default: (await import('./turnstile-widget.tsx')).TurnstileWidget }))

const useWaitMessages = defineMessages('turnstile-wait', {
  zh: { wait: '请稍后几秒重试，Turnstile 正在检查用户环境！' },
  en: { wait: 'Turnstile is still checking your browser; try again in a few seconds' },
})

type Action = NonNullable<Endpoint['human']>

interface HumanCheck {
  action: Action
  /** False while the site asks for no check. */
  on: boolean
  solution: RefObject<Solution>
  /**
   * The token for one call, to be sent as the query parameter `turnstile`; a new one is prepared. Empty while the site asks
   * for no check; undefined while there is none yet, and then `wait` says so.
   */
  take: () => string | undefined
  wait: string
}

/**
 * The human check for one action, `human` of the endpoint. Render `<HumanCheckWidget {...human} />` near the button that makes
 * the call.
 * `const human = useTurnstile('login')`, then `call(calls.login, { query: { turnstile: human.take() }, … })`.
 */
export const useTurnstile = (action: Action): HumanCheck => {
  const say = useWaitMessages()
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
  return { action, on, solution, take, wait: say('wait') }
}

/** The check of `useTurnstile`; loaded only where the site asks for it. */
export const HumanCheckWidget = ({ action, on, solution }: Pick<HumanCheck, 'action' | 'on' | 'solution'>) =>
  on && (
    <Suspense>
      <TurnstileWidget action={action} solution={solution} />
    </Suspense>
  )
