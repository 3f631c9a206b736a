import type { ConsolePage, LoadedPage } from '../../components/page.ts'

export const dashboardPage = {
  path: '/detail',
  access: 'signed_in',
  title: { zh: '数据看板', en: 'Dashboard' },
  sidebar: { group: 'groupConsole', position: 1, icon: 'chart', shortcut: 'd', flag: 'enable_data_export' },
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.DashboardScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
