import type { ConsolePage, LoadedPage } from '#web/components/page.ts'

export const drawingsPage = {
  path: '/midjourney',
  access: 'signed_in',
  title: { zh: '绘图日志', en: 'Drawing log' },
  sidebar: { group: 'groupConsole', position: 6, icon: 'image', shortcut: 'm', flag: 'enable_drawing' },
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.DrawingsScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
