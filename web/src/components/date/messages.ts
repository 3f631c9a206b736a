import { defineMessages } from '../../lib/i18n.ts'

export const useDateMessages = defineMessages('date', {
  zh: {
    before: '上个月',
    after: '下个月',
    pick: '从日历选择：{{label}}',
    from: '开始',
    to: '结束',
    apply: '应用',
    zone: '时区：{{zone}}',
    format: '格式：2026-11-20 20:14',
  },
  en: {
    before: 'Previous month',
    after: 'Next month',
    pick: 'Choose from calendar: {{label}}',
    from: 'From',
    to: 'To',
    apply: 'Apply',
    zone: 'Time zone: {{zone}}',
    format: 'Write it as 2026-11-20 20:14',
  },
})
