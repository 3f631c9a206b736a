import type { ConsolePage, LoadedPage } from '#web/components/page.ts'

export const livePage = {
  path: '/live',
  access: 'admin',
  area: 'logs',
  title: { zh: '实时', en: 'Live' },
  sidebar: { group: 'groupActivity', position: 3, icon: 'pulse', shortcut: 'j' },
  keywords: 'realtime health monitor in flight 实时 监控',
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.LiveScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
