import { flag, integer, section } from './kinds.ts'

export const quota = section({
  name: 'quota',
  tab: 'operation',
  title: { zh: '额度设置', en: 'Quota' },
  options: {
    QuotaForNewUser: integer({
      fallback: 0,
      min: 0,
      unit: 'quota',
      label: { zh: '新用户初始额度', en: 'Initial quota for new users' },
      help: { zh: '管理员创建的用户同样获得', en: 'Also applies to users created by an administrator' },
    }),
    PreConsumedQuota: integer({
      fallback: 500,
      min: 0,
      unit: 'tokens',
      label: { zh: '每次请求最低预扣', en: 'Minimum hold per request' },
      help: {
        zh: '请求进行期间的最低预扣金额。实际预扣按提示词与 max_tokens 估算，结束后按实际费用结算，多退少补。',
        en: 'Minimum amount held while a request runs. The actual hold is estimated from the prompt and max_tokens, and settled to the exact cost when the request ends.',
      },
    }),
    QuotaOverdraft: integer({
      fallback: 0,
      min: 0,
      unit: 'quota',
      label: { zh: '允许透支额度', en: 'Allowed overdraft' },
      help: {
        zh: '进行中的请求最多可使余额或令牌额度低于零多少；0 表示余额用尽时立即结束流式回答',
        en: 'How far requests in flight may take a balance or key budget below zero. 0: streams stop when the balance runs out.',
      },
    }),
    FreeModelsWithoutBalance: flag({
      fallback: false,
      label: { zh: '免费模型无需余额', en: 'Allow free models without balance' },
      help: {
        zh: '价格为 0 的调用，在余额为零或为负时也可进行',
        en: 'Calls priced at 0 are allowed even if the balance is zero or negative',
      },
    }),
    MaxTokensPerUser: integer({
      fallback: 1000,
      min: 1,
      label: { zh: '每个用户的令牌数量上限', en: 'Max API keys per user' },
      help: { zh: '已有的令牌不受影响', en: 'Existing keys are not affected' },
    }),
    QuotaForInviter: integer({
      fallback: 0,
      min: 0,
      unit: 'quota',
      label: { zh: '邀请新用户奖励额度', en: 'Referral reward (inviter)' },
      help: { zh: '划转到余额后才可使用', en: 'Can be spent once transferred to the balance' },
    }),
    QuotaForInvitee: integer({
      fallback: 0,
      min: 0,
      unit: 'quota',
      label: { zh: '新用户使用邀请码奖励额度', en: 'Referral reward (new user)' },
      help: { zh: '加在初始额度之上', en: 'Added to the starting balance' },
    }),
  },
})
