import { integer, section } from './kinds.ts'

export const quota = section({
  tab: 'operation',
  title: { zh: '额度设置', en: 'Quota' },
  options: {
    QuotaForNewUser: integer({
      fallback: 0,
      min: 0,
      unit: 'quota',
      label: { zh: '新用户初始额度', en: 'Initial quota for new users' },
      help: { zh: '管理员创建的用户同样获得', en: 'Users created by an admin get it too' },
    }),
    PreConsumedQuota: integer({
      fallback: 500,
      min: 0,
      unit: 'tokens',
      label: { zh: '请求预扣费额度', en: 'Reserved per request' },
      help: {
        zh: '请求未给出 max_tokens 时按此数量预留，请求结束后多退少补',
        en: 'Tokens reserved when a request names no max_tokens; settled exactly when it ends',
      },
    }),
    QuotaForInviter: integer({
      fallback: 0,
      min: 0,
      unit: 'quota',
      label: { zh: '邀请新用户奖励额度', en: 'Reward for inviting a user' },
      help: { zh: '例如：2000；划转后才可使用', en: 'For example 2000; usable once transferred' },
    }),
    QuotaForInvitee: integer({
      fallback: 0,
      min: 0,
      unit: 'quota',
      label: { zh: '新用户使用邀请码奖励额度', en: 'Reward for using an invite code' },
      help: { zh: '例如：1000；加在初始额度之上', en: 'For example 1000; on top of the initial quota' },
    }),
  },
})
