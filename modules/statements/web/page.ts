import type { ConsolePage, LoadedPage } from '#web/components/page.ts'

export const statementsPage = {
  path: '/statement',
  access: 'signed_in',
  title: { zh: '对账单', en: 'Statements' },
  sidebar: { group: 'groupPersonal', position: 2, icon: 'calendar', shortcut: 'b' },
  leadsFrom: { pages: ['/correction'] },
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.StatementsScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
