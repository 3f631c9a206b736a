import type { OrganisationTab } from '#web/components/parts/organisation-tab.ts'

export const organisationTabs: readonly OrganisationTab[] = [
  {
    name: 'explore',
    title: { zh: '数据探索', en: 'Explore' },
    behind: 'keys',
    position: 1,
    ofSite: false,
    load: async () => (await import('./organisation-explore.tsx')).OrganisationExplore,
  },
]
