import type { LoadedPage, Page } from '../../components/page.ts'

/** Reached from the settings; its calls are for root only. */
export const siteImportsPage = {
  path: '/site-import',
  access: 'admin',
  title: { zh: '迁入', en: 'Move in' },
  load: (): LoadedPage =>
    import('./screen.tsx').then(({ SiteImportsScreen: Screen, firstRead }) => ({ Screen, firstRead })),
} as const satisfies Page
