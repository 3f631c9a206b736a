import { defineMessages } from '../../lib/i18n.ts'

export const useClearDialogMessages = defineMessages('clear-logs-dialog', {
  zh: {
    title: '清除历史日志',
    text: '删除所选时间之前的全部日志，不能恢复。余额、账本和数据看板不受影响。',
    time: '日志记录时间',
    missing: '请选择日志记录时间',
    count: '将删除 {{count}} 条日志。',
    nothing: '这个时间之前没有日志。',
    confirm: '删除 {{count}} 条日志',
    cancel: '取消',
    submit: '清除历史日志',
    started: '{{count}} 条日志正在后台清理',
  },
  en: {
    title: 'Clear historical logs',
    text: 'Deletes all logs older than the chosen time, for good. Balances, the ledger and the dashboard stay as they are.',
    time: 'Log record time',
    missing: 'Choose a log record time',
    count: '{{count}} rows will be deleted.',
    nothing: 'There are no logs older than this.',
    confirm: 'Delete {{count}} rows',
    cancel: 'Cancel',
    submit: 'Clear logs',
    started: '{{count}} rows are being deleted in the background',
  },
})
