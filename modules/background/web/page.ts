import type { ConsolePage, LoadedPage } from '#web/components/page.ts'

export const backgroundPage = {
  path: '/background',
  access: 'signed_in',
  title: { zh: '后台响应', en: 'Background' },
  sidebar: {
    group: 'groupActivity',
    position: 7,
    icon: 'hourglass',
    tabOf: '/log',
    hasRows: (): Promise<boolean> => import('./list-for.ts').then((file) => file.hasRows()),
  },
  keywords: 'responses async queued jobs 异步 任务',
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.BackgroundScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
