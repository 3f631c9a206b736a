import type { ConsolePage, LoadedPage } from '../../components/page.ts'

export const tokensPage = {
  path: '/token',
  access: 'signed_in',
  title: { zh: 'API 令牌', en: 'API keys' },
  sidebar: { group: 'groupUse', position: 3, icon: 'key', shortcut: 't' },
  keywords: 'api keys tokens sk secret 密钥',
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.TokensScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage

export const tokenPage = {
  path: '/token/$id',
  access: 'signed_in',
  title: { zh: 'API 令牌', en: 'API key' },
  load: (): LoadedPage =>
    import('./token-page/screen.tsx').then((file) => ({ Screen: file.TokenScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
