import type { ConsolePage, LoadedPage } from '../../components/page.ts'

export const organisationsPage = {
  path: '/organisation',
  access: 'signed_in',
  title: { zh: '组织', en: 'Organisations' },
  // The page of one organisation stands in place of the list.
  sheets: ['/$id'],
  sidebar: {
    group: 'groupSite',
    position: 4,
    icon: 'building',
    shortcut: 'f',
    flag: 'organisations',
    tabOf: '/user',
  },
  keywords: 'team teams organization workspace project company members 团队 项目',
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.OrganisationsScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
