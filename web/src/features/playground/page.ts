import type { ConsolePage, LoadedPage } from '../../components/page.ts'

export const playgroundPage = {
  path: '/playground',
  access: 'signed_in',
  title: { zh: '操练场', en: 'Playground' },
  sidebar: { group: 'groupChat', position: 1, icon: 'chat', shortcut: 'p' },
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.PlaygroundScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
