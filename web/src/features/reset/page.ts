import type { ConsolePage, LoadedPage } from '../../components/page.ts'

export const resetPage = {
  path: '/reset',
  access: 'bare',
  title: { zh: '重置密码', en: 'Reset password' },
  load: (): LoadedPage => import('./request-screen.tsx').then((file) => ({ Screen: file.ResetRequestScreen })),
} as const satisfies ConsolePage

export const resetConfirmPage = {
  path: '/user/reset',
  access: 'bare',
  title: { zh: '确认重置密码', en: 'Confirm password reset' },
  load: (): LoadedPage => import('./confirm-screen.tsx').then((file) => ({ Screen: file.ResetConfirmScreen })),
} as const satisfies ConsolePage
