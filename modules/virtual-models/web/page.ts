import type { ConsolePage, LoadedPage } from '#web/components/page.ts'

export const routesPage = {
  path: '/route',
  access: 'admin',
  area: 'channels',
  title: { zh: '虚拟模型', en: 'Virtual models' },
  sidebar: { group: 'groupSite', position: 2, icon: 'branch', shortcut: 'v' },
  keywords: 'routing virtual models fallback alias weights 路由 别名',
  leadsFrom: { candidates: { zh: '路由测试', en: 'Route tester' } },
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.RoutesScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
