import type { ConsolePage, LoadedPage } from '../../components/page.ts'

export const limitsPage = {
  path: '/limit',
  access: 'signed_in',
  title: { zh: '限额与预算', en: 'Limits and budgets' },
  sidebar: { group: 'groupConsole', position: 9, icon: 'gauge', shortcut: 'z' },
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.LimitsScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
