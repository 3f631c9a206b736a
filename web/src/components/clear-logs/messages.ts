import { defineMessages } from '../../lib/i18n.ts'

export const useClearLogsMessages = defineMessages('clear-logs', {
  zh: {
    clear: '清除历史日志',
    running: '正在清理：{{deleted}} / {{total}}',
  },
  en: {
    clear: 'Clear logs',
    running: 'Deleting: {{deleted}} of {{total}}',
  },
})
