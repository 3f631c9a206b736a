import type { ConsolePage, LoadedPage } from '../../components/page.ts'

export const pricingPage = {
  path: '/pricing',
  access: 'everyone',
  title: { zh: '模型价格', en: 'Pricing' },
  sidebar: { group: 'groupUse', position: 1, icon: 'cube', name: { zh: '模型', en: 'Models' } },
  keywords: 'models catalogue prices cost 价格 模型广场',
  load: (): LoadedPage => import('./screen.tsx').then((file) => ({ Screen: file.PricingScreen })),
} as const satisfies ConsolePage
