import type { LoadedPage, Page } from '../../components/page.ts'

export const agentsPage = {
  path: '/agents',
  access: 'signed_in',
  title: { zh: '编程助手', en: 'Coding agents' },
  sidebar: { group: 'groupConsole', position: 8, icon: 'code', shortcut: 'i' },
  load: (): LoadedPage => import('./screen.tsx').then(({ AgentsScreen: Screen, firstRead }) => ({ Screen, firstRead })),
} as const satisfies Page
