import type { ConsolePage, LoadedPage } from '#web/components/page.ts'

/** Its calls are for root only. */
export const correctionsPage = {
  path: '/correction',
  access: 'admin',
  area: 'billing',
  title: { zh: '价格更正', en: 'Price corrections' },
  sidebar: { group: 'groupMoney', position: 5, icon: 'refresh', tabOf: '/topup' },
  keywords: 'refund credit rebill price correction 退款 更正',
  leadsFrom: { pages: ['/unknown-usage', '/statement'] },
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.CorrectionsScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
