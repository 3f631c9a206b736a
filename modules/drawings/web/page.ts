import type { ConsolePage, LoadedPage } from '#web/components/page.ts'

export const drawingsPage = {
  path: '/midjourney',
  access: 'signed_in',
  title: { zh: '绘图日志', en: 'Drawing log' },
  sidebar: {
    group: 'groupActivity',
    position: 3,
    icon: 'image',
    shortcut: 'm',
    flag: 'enable_drawing',
    tabOf: '/log',
    hasRows: (): Promise<boolean> => import('./has-rows.ts').then((file) => file.hasRows()),
  },
  keywords: 'midjourney images pictures 绘画 图片',
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.DrawingsScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
