import type { ConsolePage, LoadedPage } from '#web/components/page.ts'

export const agentsPage = {
  path: '/agents',
  access: 'signed_in',
  title: { zh: '编程助手', en: 'Coding agents' },
  sidebar: { group: 'groupConsole', position: 8, icon: 'code', shortcut: 'i' },
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.AgentsScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
