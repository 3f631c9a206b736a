import type { ConsolePage, LoadedPage } from '../../components/page.ts'

export const playgroundPage = {
  path: '/playground',
  access: 'signed_in',
  title: { zh: '操练场', en: 'Playground' },
  sidebar: { group: 'groupUse', position: 2, icon: 'chat', shortcut: 'p' },
  keywords: 'chat try prompt 聊天 试用',
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.PlaygroundScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
