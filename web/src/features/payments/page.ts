import type { ConsolePage, LoadedPage } from '../../components/page.ts'

export const paymentsPage = {
  path: '/payment',
  access: 'admin',
  area: 'billing',
  title: { zh: '支付', en: 'Payments' },
  sidebar: { group: 'groupMoney', position: 3, icon: 'receipt', shortcut: 'y', tabOf: '/topup' },
  keywords: 'orders stripe epay checkout 订单',
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.PaymentsScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
