import type { LoadedPage, Page } from '../../components/page.ts'

export const statementsPage = {
  path: '/statement',
  access: 'signed_in',
  title: { zh: '对账单', en: 'Statements' },
  sidebar: { group: 'groupPersonal', position: 2, icon: 'receipt', shortcut: 'b' },
  load: (): LoadedPage =>
    import('./screen.tsx').then(({ StatementsScreen: Screen, firstRead }) => ({ Screen, firstRead })),
} as const satisfies Page
