import type { ConsolePage, LoadedPage } from '../../components/page.ts'

export const organisationsPage = {
  path: '/organisation',
  access: 'signed_in',
  title: { zh: '组织', en: 'Organisations' },
  sidebar: { group: 'groupConsole', position: 10, icon: 'building', shortcut: 'f', flag: 'organisations' },
  // The page of one organisation stands in place of the list.
  sheets: ['/$id'],
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.OrganisationsScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
