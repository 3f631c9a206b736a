/** The parameters and callbacks of the widget; see Cloudflare's client-side reference. */
export interface TurnstileWidget {
  sitekey: string
  action: string
  theme: 'light' | 'dark'
  language: string
  appearance: 'interaction-only'
  callback: (token: string) => void
  'expired-callback': () => void
  'error-callback': () => boolean
}

interface TurnstileApi {
  render(place: HTMLElement, widget: TurnstileWidget): string | undefined
  reset(id: string): void
  remove(id: string): void
}

declare global {
  interface Window {
    turnstile?: TurnstileApi
  }
}

const address = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit'
let loading: Promise<TurnstileApi> | undefined

/** Cloudflare's script, once per page. Rejects when it cannot be loaded; the next call tries again. */
export const loadTurnstile = (): Promise<TurnstileApi> => {
  if (window.turnstile) return Promise.resolve(window.turnstile)
  loading ??= new Promise<TurnstileApi>((resolve, reject) => {
    const script = document.createElement('script')
    script.src = address
    script.async = true
    script.onload = () => (window.turnstile ? resolve(window.turnstile) : reject(new Error('Turnstile is missing')))
    script.onerror = () => reject(new Error('Turnstile could not be loaded'))
    document.head.append(script)
  }).catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}
