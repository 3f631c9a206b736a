import type { ConsolePage, LoadedPage } from '#web/components/page.ts'

export const statementsPage = {
  path: '/statement',
  access: 'signed_in',
  title: { zh: '对账单', en: 'Statements' },
  leadsFrom: { pages: ['/correction'] },
  sidebar: { group: 'groupMoney', position: 2, icon: 'calendar', shortcut: 'b', tabOf: '/topup' },
  keywords: 'invoice monthly bill 发票 月结',
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.StatementsScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
