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
  title: { zh: '设置新密码', en: 'Set a new password' },
  load: (): LoadedPage => import('./confirm-screen.tsx').then((file) => ({ Screen: file.ResetConfirmScreen })),
} as const satisfies ConsolePage
