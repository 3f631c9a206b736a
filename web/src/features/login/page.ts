import type { ConsolePage, LoadedPage } from '../../components/page.ts'

export const loginPage = {
  path: '/login',
  access: 'bare',
  title: { zh: '登录', en: 'Sign in' },
  load: (): LoadedPage => import('./screen.tsx').then((file) => ({ Screen: file.LoginScreen })),
} as const satisfies ConsolePage
