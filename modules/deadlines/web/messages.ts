import { defineMessages } from '#web/lib/i18n.ts'

/** Words of deadlines. */
export const useDeadlineMessages = defineMessages('deadlines', {
  zh: {
    deadlineOnly: '仅限有截止时间的请求',
    deadlineOnlyHint: '没有 X-Tollgate-Deadline 请求头或 metadata.deadline 的请求会被拒绝。',
  },
  en: {
    deadlineOnly: 'Only calls with a deadline',
    deadlineOnlyHint: 'Refuses calls without the header X-Tollgate-Deadline or metadata.deadline.',
  },
})
