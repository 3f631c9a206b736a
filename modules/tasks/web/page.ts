import type { ConsolePage, LoadedPage } from '#web/components/page.ts'

export const tasksPage = {
  path: '/task',
  access: 'signed_in',
  title: { zh: '任务日志', en: 'Task log' },
  sidebar: {
    group: 'groupActivity',
    position: 4,
    icon: 'list',
    shortcut: 'k',
    flag: 'enable_task',
    tabOf: '/log',
    hasRows: (): Promise<boolean> => import('./has-rows.ts').then((file) => file.hasRows()),
  },
  keywords: 'suno video music jobs 视频 音乐',
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.TasksScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
