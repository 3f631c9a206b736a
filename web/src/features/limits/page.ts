import type { ConsolePage, LoadedPage } from '../../components/page.ts'

export const limitsPage = {
  path: '/limit',
  access: 'signed_in',
  title: { zh: '限额与预算', en: 'Limits and budgets' },
  sidebar: { group: 'groupMoney', position: 2, icon: 'gauge', shortcut: 'z' },
  keywords: 'budget cap quota rate limit spend rpm tpm 预算 限额 限速',
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.LimitsScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
