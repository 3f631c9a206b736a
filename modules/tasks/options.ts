import { flag, section } from '@tollgate/contract/options/kinds'

const tasks = section({
  name: 'tasks',
  tab: 'operation',
  title: { zh: '任务日志', en: 'Task log' },
  behind: { section: 'drawing', position: 2, isAhead: true },
  options: {
    TaskEnabled: flag({
      fallback: true,
      status: 'enable_task',
      label: { zh: '启用任务功能', en: 'Enable tasks' },
      help: { zh: '在控制台显示任务日志', en: 'Shows the task log in the console' },
    }),
  },
})

export const sections = [tasks] as const
