import type { ConsolePage, LoadedPage } from '../../components/page.ts'

export const walletPage = {
  path: '/topup',
  access: 'signed_in',
  title: { zh: '钱包', en: 'Wallet' },
  sidebar: {
    group: 'groupMoney',
    position: 1,
    icon: 'wallet',
    shortcut: 'w',
    name: { zh: '账单', en: 'Billing' },
  },
  keywords: 'billing balance top up recharge add funds redeem credit 充值 余额 兑换',
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.WalletScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
