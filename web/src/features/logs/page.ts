import type { ConsolePage, LoadedPage } from '../../components/page.ts'

export const logsPage = {
  path: '/log',
  access: 'signed_in',
  title: { zh: '使用日志', en: 'Usage log' },
  sidebar: { group: 'groupConsole', position: 4, icon: 'document', shortcut: 'l' },
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.LogsScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
