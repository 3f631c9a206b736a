import type { ConsolePage, LoadedPage } from '../../components/page.ts'

/** Reached from the system settings. */
export const identityProvidersPage = {
  path: '/identity-provider',
  access: 'admin',
  area: 'settings',
  title: { zh: '身份提供方', en: 'Identity providers' },
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.IdentityProvidersScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
