import type { ConsolePage, LoadedPage } from '../../components/page.ts'

/** A tab of the settings. */
export const identityProvidersPage = {
  path: '/identity-provider',
  access: 'admin',
  area: 'settings',
  title: { zh: '身份提供方', en: 'Identity providers' },
  sidebar: { group: 'groupSite', position: 2, icon: 'user', tabOf: '/setting' },
  keywords: 'sso saml oidc single sign-on login google okta entra 单点登录',
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.IdentityProvidersScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
