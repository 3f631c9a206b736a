import type { LoadedPage, Page } from '../../components/page.ts'

export const paymentsPage = {
  path: '/payment',
  access: 'admin',
  title: { zh: '支付', en: 'Payments' },
  sidebar: { group: 'groupAdmin', position: 4, icon: 'receipt', shortcut: 'y' },
  load: (): LoadedPage =>
    import('./screen.tsx').then(({ PaymentsScreen: Screen, firstRead }) => ({ Screen, firstRead })),
} as const satisfies Page
