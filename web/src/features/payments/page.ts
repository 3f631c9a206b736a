import type { ConsolePage, LoadedPage } from '../../components/page.ts'

export const paymentsPage = {
  path: '/payment',
  access: 'admin',
  area: 'billing',
  title: { zh: '支付', en: 'Payments' },
  sidebar: { group: 'groupAdmin', position: 4, icon: 'receipt', shortcut: 'y' },
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.PaymentsScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
