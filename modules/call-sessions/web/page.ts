import type { ConsolePage, LoadedPage } from '#web/components/page.ts'

export const sessionsPage = {
  path: '/sessions',
  access: 'signed_in',
  title: { zh: '会话', en: 'Sessions' },
  sidebar: { group: 'groupActivity', position: 2, icon: 'thread', shortcut: 'n', tabOf: '/log' },
  keywords: 'conversations threads agents 对话',
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.SessionsScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
