import type { ConsolePage, LoadedPage } from '../../components/page.ts'

export const dashboardPage = {
  path: '/detail',
  access: 'signed_in',
  title: { zh: '数据看板', en: 'Dashboard' },
  sidebar: { group: 'groupOverview', position: 1, icon: 'chart', shortcut: 'd', flag: 'enable_data_export' },
  keywords: 'home overview usage statistics 概览 统计',
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.DashboardScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
