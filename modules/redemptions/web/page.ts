import type { ConsolePage, LoadedPage } from '#web/components/page.ts'

export const redemptionsPage = {
  path: '/redemption',
  access: 'admin',
  area: 'billing',
  title: { zh: '兑换码', en: 'Redemption codes' },
  sidebar: { group: 'groupMoney', position: 4, icon: 'ticket', shortcut: 'r', tabOf: '/topup' },
  keywords: 'vouchers gift codes coupon 礼品码',
  isSearched: true,
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.RedemptionsScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
