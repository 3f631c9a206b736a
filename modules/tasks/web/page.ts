import type { ConsolePage, LoadedPage } from '#web/components/page.ts'

export const tasksPage = {
  path: '/task',
  access: 'signed_in',
  title: { zh: '任务日志', en: 'Task log' },
  sidebar: { group: 'groupConsole', position: 7, icon: 'list', shortcut: 'k', flag: 'enable_task' },
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.TasksScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
