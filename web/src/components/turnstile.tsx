import type { Endpoint } from '@tollgate/contract'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLanguage } from '../lib/i18n.ts'
import { useStatus } from '../lib/status.ts'
import { useScheme } from '../lib/theme-mode.ts'
import classes from './turnstile.module.css'
import { useTurnstileWords } from './turnstile-messages.ts'

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
 * The human check for one action, `human` of the endpoint: shows itself only when the person has to do something.
 * `const human = useTurnstile('login')`, then `call(calls.login, { query: { turnstile: human.take() }, … })`.
 */
export const useTurnstile = (action: NonNullable<Endpoint['human']>): HumanCheck => {
  const say = useTurnstileWords()
  const { turnstile_check: on, turnstile_site_key: sitekey } = useStatus()
  const theme = useScheme()
  const language = useLanguage()
  const place = useRef<HTMLDivElement>(null)
  const token = useRef<string>(undefined)
  const again = useRef(() => {})
  const [failed, setFailed] = useState(false)
  const [attempt, setAttempt] = useState(0)

  // The widget is Cloudflare's own: it is put into the page and taken out again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` only starts over after a failure
  useEffect(() => {
    if (!on || !sitekey) return
    let gone = false
    let remove = (): void => {}
    const show = async (): Promise<void> => {
      const { loadTurnstile } = await import('./turnstile-api.ts')
      const api = await loadTurnstile()
      if (gone || !place.current) return
      const id = api.render(place.current, {
        sitekey,
        action,
        theme,
        language: language === 'zh' ? 'zh-cn' : 'en',
        appearance: 'interaction-only',
        callback: (solved) => {
          token.current = solved
        },
        'expired-callback': () => {
          token.current = undefined
        },
        'error-callback': () => {
          setFailed(true)
          return true
        },
      })
      if (id === undefined) return
      again.current = () => api.reset(id)
      remove = () => api.remove(id)
    }
    setFailed(false)
    show().catch(() => setFailed(true))
    return () => {
      gone = true
      token.current = undefined
      again.current = () => {}
      remove()
    }
  }, [on, sitekey, action, theme, language, attempt])

  const take = (): string | undefined => {
    if (!on) return ''
    const solved = token.current
    if (solved === undefined) return undefined
    token.current = undefined
    again.current()
    return solved
  }
  const widget = on ? (
    <div className={classes.check}>
      <div ref={place} />
      {failed && (
        <p role="alert">
          {say('failed')}{' '}
          <button type="button" className="text-button" onClick={() => setAttempt(attempt + 1)}>
            {say('retry')}
          </button>
        </p>
      )}
    </div>
  ) : null
  return { widget, take, wait: say('wait') }
}
