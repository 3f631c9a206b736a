import type { LoadedPage, Page } from '../../components/page.ts'

/** Where third-party providers send people back to. */
const callback = {
  access: 'bare',
  title: { zh: '第三方登录', en: 'Third-party sign-in' },
  load: (): LoadedPage => import('./screen.tsx').then((file) => ({ Screen: file.OauthCallbackScreen })),
} as const satisfies Omit<Page, 'path'>

/** Of an identity provider, by its name in addresses. */
export const identityProviderCallback = { ...callback, path: '/oauth/$slug' } as const satisfies Page
export const githubCallback = { ...callback, path: '/oauth/github' } as const satisfies Page
export const discordCallback = { ...callback, path: '/oauth/discord' } as const satisfies Page
export const linuxdoCallback = { ...callback, path: '/oauth/linuxdo' } as const satisfies Page
export const oidcCallback = { ...callback, path: '/oauth/oidc' } as const satisfies Page
export const telegramCallback = { ...callback, path: '/oauth/telegram' } as const satisfies Page
