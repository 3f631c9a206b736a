import type { LoadedPage, Page } from '../../components/page.ts'

/** Where third-party providers send people back to. */
const callback = {
  access: 'bare',
  title: { zh: '第三方登录', en: 'Third-party sign-in' },
  load: (): LoadedPage => import('./screen.tsx').then(({ OauthCallbackScreen: Screen }) => ({ Screen })),
} as const satisfies Omit<Page, 'path'>

export const githubCallback = { ...callback, path: '/oauth/github' } as const satisfies Page
export const linuxdoCallback = { ...callback, path: '/oauth/linuxdo' } as const satisfies Page
export const oidcCallback = { ...callback, path: '/oauth/oidc' } as const satisfies Page
export const telegramCallback = { ...callback, path: '/oauth/telegram' } as const satisfies Page
