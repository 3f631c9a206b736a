import type { ConsolePage, LoadedPage } from '#web/components/page.ts'

export const reconciliationPage = {
  path: '/reconciliation',
  access: 'root',
  area: 'billing',
  title: { zh: '上游对账', en: 'Reconciliation' },
  sidebar: { group: 'groupMoney', position: 6, icon: 'balance', shortcut: 'e', tabOf: '/topup' },
  keywords: 'provider invoice compare upstream cost 对账 上游账单',
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.ReconciliationScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage

export const reconciliationResultPage = {
  path: '/reconciliation/$id',
  access: 'root',
  area: 'billing',
  title: { zh: '对账结果', en: 'Reconciliation result' },
  load: (): LoadedPage => import('./result/screen.tsx').then((file) => ({ Screen: file.ResultScreen })),
} as const satisfies ConsolePage
