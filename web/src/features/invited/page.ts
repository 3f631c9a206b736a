import type { ConsolePage, LoadedPage } from '../../components/page.ts'

export const invitedPage = {
  path: '/invited',
  access: 'bare',
  title: { zh: '设置密码', en: 'Set your password' },
  load: (): LoadedPage => import('./screen.tsx').then((file) => ({ Screen: file.InvitedScreen })),
} as const satisfies ConsolePage
