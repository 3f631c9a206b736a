import type { ConsolePage, LoadedPage } from '#web/components/page.ts'

export const explorePage = {
  path: '/explore',
  access: 'signed_in',
  title: { zh: '数据探索', en: 'Explore' },
  sidebar: { group: 'groupActivity', position: 2, icon: 'trend', shortcut: 'x', flag: 'enable_data_export' },
  keywords: 'analytics report breakdown chart top spender 分析 报表',
  leadsFrom: { figures: true },
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.ExploreScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
