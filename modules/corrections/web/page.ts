import type { ConsolePage, LoadedPage } from '#web/components/page.ts'

/** Its calls are for root only. */
export const correctionsPage = {
  path: '/correction',
  access: 'admin',
  area: 'billing',
  title: { zh: '价格更正', en: 'Price corrections' },
  leadsFrom: { pages: ['/unknown-usage', '/statement'] },
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.CorrectionsScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
