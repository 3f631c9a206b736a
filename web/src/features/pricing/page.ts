import type { ConsolePage, LoadedPage } from '../../components/page.ts'

export const pricingPage = {
  path: '/pricing',
  access: 'everyone',
  title: { zh: '模型价格', en: 'Pricing' },
  load: (): LoadedPage => import('./screen.tsx').then((file) => ({ Screen: file.PricingScreen })),
} as const satisfies ConsolePage
