import type { LoadedPage, Page } from '../../components/page.ts'

export const pricingPage = {
  path: '/pricing',
  access: 'everyone',
  title: { zh: '模型价格', en: 'Pricing' },
  load: (): LoadedPage => import('./screen.tsx').then(({ PricingScreen: Screen }) => ({ Screen })),
} as const satisfies Page
