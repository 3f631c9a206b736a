import type { ConsolePage, LoadedPage } from '#web/components/page.ts'

export const routesPage = {
  path: '/route',
  access: 'admin',
  area: 'channels',
  title: { zh: '虚拟模型', en: 'Virtual models' },
  sidebar: { group: 'groupAdmin', position: 2, icon: 'branch', shortcut: 'v' },
  leadsFrom: { candidates: { zh: '路由解释', en: 'Explain route' } },
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.RoutesScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
