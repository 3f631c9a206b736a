import type { ConsolePage, LoadedPage } from '../../components/page.ts'

export const registerPage = {
  path: '/register',
  access: 'bare',
  title: { zh: '注册', en: 'Register' },
  load: (): LoadedPage => import('./screen.tsx').then((file) => ({ Screen: file.RegisterScreen })),
} as const satisfies ConsolePage
