import { choice, section } from '@tollgate/contract/options/kinds'

const todayNotices = section({
  name: 'todayNotices',
  tab: 'operation',
  title: { zh: '今日页通知', en: 'Notices from Today' },
  behind: { section: 'monitoring', position: 4 },
  options: {
    TodayNotices: choice({
      fallback: 'off',
      choices: [
        { value: 'off', label: { zh: '关闭', en: 'Off' } },
        { value: 'daily', label: { zh: '每天一次', en: 'Once a day' } },
        { value: 'at_once', label: { zh: '立即', en: 'At once' } },
      ],
      label: { zh: '待处理事项的通知', en: 'Notices of cards' },
      help: {
        zh: '按站长的通知设置发送“今日”页的待处理事项：每天 8:00（UTC）汇总，或在出现时立即发送',
        en: 'Sends the cards of the page Today as the super admin receives notices: a list each day at 8:00 UTC, or each one as it appears',
      },
    }),
  },
})

export const sections = [todayNotices] as const
