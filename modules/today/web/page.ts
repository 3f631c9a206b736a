import type { ConsolePage, LoadedPage } from '#web/components/page.ts'

export const todayPage = {
  path: '/today',
  access: 'signed_in',
  title: { zh: '今日', en: 'Today' },
  sidebar: { group: 'groupOverview', position: 0, icon: 'home', leads: '/detail' },
  isStart: true,
  keywords: 'home start overview yesterday attention cards 首页 概览 待处理',
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.TodayScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
