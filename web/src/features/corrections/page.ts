import type { ConsolePage, LoadedPage } from '../../components/page.ts'

/** Reached from the usage that is not understood; its calls are for root only. */
export const correctionsPage = {
  path: '/correction',
  access: 'admin',
  area: 'billing',
  title: { zh: '价格更正', en: 'Price corrections' },
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.CorrectionsScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
