import type { ConsolePage, LoadedPage } from '../../components/page.ts'

/** Page to which third-party providers redirect after signing in. */
const callback = {
  access: 'bare',
  title: { zh: '第三方登录', en: 'Third-party sign-in' },
  load: (): LoadedPage => import('./screen.tsx').then((file) => ({ Screen: file.OauthCallbackScreen })),
} as const satisfies Omit<ConsolePage, 'path'>

/** Of an identity provider, by its name in addresses. */
export const identityProviderCallback = { ...callback, path: '/oauth/$slug' } as const satisfies ConsolePage
export const githubCallback = { ...callback, path: '/oauth/github' } as const satisfies ConsolePage
export const discordCallback = { ...callback, path: '/oauth/discord' } as const satisfies ConsolePage
export const linuxdoCallback = { ...callback, path: '/oauth/linuxdo' } as const satisfies ConsolePage
export const oidcCallback = { ...callback, path: '/oauth/oidc' } as const satisfies ConsolePage
export const telegramCallback = { ...callback, path: '/oauth/telegram' } as const satisfies ConsolePage
