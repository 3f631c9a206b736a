import type { OrganisationTab } from '#web/components/parts/organisation-tab.ts'

export const organisationTabs: readonly OrganisationTab[] = [
  {
    name: 'provisioning',
    title: { zh: '自动同步', en: 'Provisioning' },
    position: 1,
    needs: 'manage_members',
    load: async () => (await import('./provisioning.tsx')).Provisioning,
  },
]
