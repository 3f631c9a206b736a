import type { ConsolePage, LoadedPage } from '../../components/page.ts'

/** Administrators read it; only root declares. */
export const declaredUsagePage = {
  path: '/unknown-usage',
  access: 'admin',
  area: 'billing',
  title: { zh: '未知用量', en: 'Unknown usage' },
  keywords: 'unpriced provisional unknown price 未定价 暂计',
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.DeclaredUsageScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
