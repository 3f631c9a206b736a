import type { LoadedPage, Page } from '../../components/page.ts'

export const routesPage = {
  path: '/route',
  access: 'admin',
  title: { zh: '虚拟模型', en: 'Virtual models' },
  sidebar: { group: 'groupAdmin', position: 2, icon: 'branch', shortcut: 'v' },
  load: (): LoadedPage => import('./screen.tsx').then(({ RoutesScreen: Screen, firstRead }) => ({ Screen, firstRead })),
} as const satisfies Page
