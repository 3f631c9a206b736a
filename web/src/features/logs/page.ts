import type { ConsolePage, LoadedPage } from '../../components/page.ts'

export const logsPage = {
  path: '/log',
  access: 'signed_in',
  title: { zh: '使用日志', en: 'Usage log' },
  sidebar: {
    group: 'groupActivity',
    position: 1,
    icon: 'document',
    shortcut: 'l',
    name: { zh: '调用', en: 'Calls' },
  },
  keywords: 'calls requests errors history receipts 调用 请求 错误',
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.LogsScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
