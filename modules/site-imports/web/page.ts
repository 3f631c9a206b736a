import type { ComponentType } from 'react'
import type { ConsolePage, LoadedPage } from '#web/components/page.ts'

/** A tab of the settings; its calls are for root only. */
export const siteImportsPage = {
  path: '/site-import',
  access: 'admin',
  area: 'settings',
  title: { zh: '导入', en: 'Import' },
  leadsFrom: {
    firstSteps: (): Promise<ComponentType> => import('./first-steps.tsx').then((file) => file.MoveIn),
  },
  sidebar: { group: 'groupSite', position: 3, icon: 'download', tabOf: '/setting' },
  keywords: 'import migrate migration move new-api one-api litellm 导入 迁移',
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.SiteImportsScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
