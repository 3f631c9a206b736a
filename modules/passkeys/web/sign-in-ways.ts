import type { ShownSignInWay } from '#web/components/parts/sign-in-way.ts'

/** True if passkeys work here: browsers allow them on HTTPS and localhost only, and not under a bare IP address. */
export const browserHasPasskeys = (): boolean =>
  typeof window.PublicKeyCredential === 'function' && !/^[\d.]+$|^\[/.test(window.location.hostname)

export const signInWays: readonly ShownSignInWay[] = [
  {
    method: 'passkey',
    icon: 'key',
    title: { zh: '使用通行密钥登录', en: 'Sign in with a passkey' },
    shortTitle: { zh: '使用通行密钥', en: 'Use a passkey' },
    panel: 'passkeys',
    isPossible: browserHasPasskeys,
    signIn: async () => (await import('./ceremonies.ts')).signInWithPasskey(),
    confirm: async () => (await import('./ceremonies.ts')).confirmWithPasskey(),
  },
]
