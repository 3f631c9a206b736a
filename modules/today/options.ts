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
        { value: 'at_once', label: { zh: '立即', en: 'Immediately' } },
      ],
      label: { zh: '今日页通知', en: 'Notifications from Today' },
      help: {
        zh: '将“今日”页的待处理事项发送给超级管理员：每天 8:00（UTC）汇总，或出现时立即发送',
        en: 'Sends items from the Today page to the super admin: a daily summary at 8:00 UTC, or each one as it appears',
      },
    }),
  },
})

export const sections = [todayNotices] as const
