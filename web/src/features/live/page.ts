import type { LoadedPage, Page } from '../../components/page.ts'

export const livePage = {
  path: '/live',
  access: 'admin',
  title: { zh: '实时', en: 'Live' },
  sidebar: { group: 'groupAdmin', position: 0, icon: 'pulse', shortcut: 'j' },
  load: (): LoadedPage => import('./screen.tsx').then(({ LiveScreen: Screen, firstRead }) => ({ Screen, firstRead })),
} as const satisfies Page
