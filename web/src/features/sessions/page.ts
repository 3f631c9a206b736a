import type { LoadedPage, Page } from '../../components/page.ts'

export const sessionsPage = {
  path: '/sessions',
  access: 'signed_in',
  title: { zh: '会话', en: 'Sessions' },
  sidebar: { group: 'groupConsole', position: 5, icon: 'code', shortcut: 'n' },
  load: (): LoadedPage =>
    import('./screen.tsx').then(({ SessionsScreen: Screen, firstRead }) => ({ Screen, firstRead })),
} as const satisfies Page
