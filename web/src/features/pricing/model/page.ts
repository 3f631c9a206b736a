import type { ConsolePage, LoadedPage } from '../../../components/page.ts'

export const modelPage = {
  path: '/pricing/model/$',
  access: 'everyone',
  title: { zh: '模型', en: 'Model' },
  load: (): LoadedPage => import('./screen.tsx').then((file) => ({ Screen: file.ModelScreen })),
} as const satisfies ConsolePage
