import type { ConsolePage, LoadedPage } from '#web/components/page.ts'

export const livePage = {
  path: '/live',
  access: 'admin',
  area: 'logs',
  title: { zh: '实时', en: 'Live' },
  sidebar: { group: 'groupAdmin', position: 0, icon: 'pulse', shortcut: 'j' },
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.LiveScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
