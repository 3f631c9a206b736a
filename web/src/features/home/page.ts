import type { LoadedPage, Page } from '../../components/page.ts'

export const homePage = {
  path: '/',
  access: 'everyone',
  title: { zh: '首页', en: 'Home' },
  load: (): LoadedPage => import('./screen.tsx').then(({ HomeScreen: Screen, firstRead }) => ({ Screen, firstRead })),
} as const satisfies Page
