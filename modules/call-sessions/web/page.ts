import type { ConsolePage, LoadedPage } from '#web/components/page.ts'

export const sessionsPage = {
  path: '/sessions',
  access: 'signed_in',
  title: { zh: '会话', en: 'Sessions' },
  sidebar: { group: 'groupConsole', position: 5, icon: 'thread', shortcut: 'n' },
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.SessionsScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
