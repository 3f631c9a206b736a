import type { LoadedPage, Page } from '../../../components/page.ts'

export const modelPage = {
  path: '/pricing/model/$',
  access: 'everyone',
  title: { zh: '模型', en: 'Model' },
  load: (): LoadedPage => import('./screen.tsx').then(({ ModelScreen: Screen }) => ({ Screen })),
} as const satisfies Page
