import type { ConsolePage, LoadedPage } from '../../components/page.ts'

export const walletPage = {
  path: '/topup',
  access: 'signed_in',
  title: { zh: '钱包', en: 'Wallet' },
  sidebar: { group: 'groupPersonal', position: 1, icon: 'wallet', shortcut: 'w' },
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.WalletScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
