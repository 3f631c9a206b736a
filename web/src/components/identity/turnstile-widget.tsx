import { type RefObject, useEffect, useRef, useState } from 'react'
import { defineMessages, useLanguage } from '../../lib/i18n.ts'
import { useScheme } from '../../lib/preferences/theme-mode.ts'
import { useStatus } from '../../lib/status.ts'
import classes from './turnstile.module.css'
import { loadTurnstile } from './turnstile-api.ts'

const useTurnstileMessages = defineMessages('turnstile', {
  zh: {
    failed: '人机验证加载失败，请检查网络。',
    retry: '重试',
  },
  en: {
    failed: 'Couldn’t load the human verification. Check your network.',
    retry: 'Retry',
  },
})

/** The token of the solved challenge, if any; `used` asks for another. */
export interface Solution {
  token: string | undefined
  used: () => void
}

/** Cloudflare's own widget; it shows itself only when the person has to do something. */
export const TurnstileWidget = ({ action, solution }: { action: string; solution: RefObject<Solution> }) => {
  const say = useTurnstileMessages()
  const { turnstile_site_key: sitekey } = useStatus()
  const theme = useScheme()
  const language = useLanguage()
  const place = useRef<HTMLDivElement>(null)
  const [failed, setFailed] = useState(false)
  const [attempt, setAttempt] = useState(0)

  // It is put into the page and taken out again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` only starts over after a failure
  useEffect(() => {
    let gone = false
    let remove = (): void => {}
    const keep = (token: string | undefined): void => {
      solution.current.token = token
    }
    const show = async (): Promise<void> => {
      const api = await loadTurnstile()
      if (gone || !place.current) return
      const id = api.render(place.current, {
        sitekey,
        action,
        theme,
        language: language === 'zh' ? 'zh-cn' : language.toLowerCase(),
        appearance: 'interaction-only',
        callback: keep,
        'expired-callback': () => keep(undefined),
        'error-callback': () => {
          setFailed(true)
          return true
        },
      })
      if (id === undefined) return
      solution.current.used = () => api.reset(id)
      remove = () => api.remove(id)
    }
    setFailed(false)
    show().catch(() => setFailed(true))
    return () => {
      gone = true
      solution.current = { token: undefined, used: () => {} }
      remove()
    }
  }, [sitekey, action, theme, language, attempt, solution])

  return (
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
  )
}
