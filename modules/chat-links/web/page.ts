import type { ConsolePage, LoadedPage } from '#web/components/page.ts'

export const chatPage = {
  path: '/chat',
  access: 'everyone',
  title: { zh: '聊天', en: 'Chat' },
  load: (): LoadedPage => import('./screen.tsx').then((file) => ({ Screen: file.ChatScreen })),
} as const satisfies ConsolePage

export const chatLinkPage = {
  path: '/chat/$id',
  access: 'everyone',
  title: { zh: '聊天', en: 'Chat' },
  load: (): LoadedPage => import('./screen.tsx').then((file) => ({ Screen: file.ChatScreen })),
} as const satisfies ConsolePage

export const chatRedirectPage = {
  path: '/chat2link',
  access: 'signed_in',
  title: { zh: '聊天', en: 'Chat' },
  load: (): LoadedPage => import('./redirect.tsx').then((file) => ({ Screen: file.ChatRedirect })),
} as const satisfies ConsolePage
