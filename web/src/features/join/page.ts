import type { ConsolePage, LoadedPage } from '../../components/page.ts'

export const joinPage = {
  path: '/join',
  access: 'bare',
  title: { zh: '加入组织', en: 'Join an organisation' },
  load: (): LoadedPage => import('./screen.tsx').then((file) => ({ Screen: file.JoinScreen })),
} as const satisfies ConsolePage
