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
      help: { zh: '管理员创建的用户同样获得', en: 'Users created by an admin get it too' },
    }),
    PreConsumedQuota: integer({
      fallback: 500,
      min: 0,
      unit: 'tokens',
      label: { zh: '请求预扣费额度', en: 'Reserved per request' },
      help: {
        zh: '每次请求至少按此数量预留；实际按提示词与 max_tokens（未给出时按模型的通常输出）预留，请求结束后多退少补',
        en: 'Each request reserves at least this; otherwise its prompt and max_tokens, or what the model usually writes. Settled exactly when it ends',
      },
    }),
    QuotaOverdraft: integer({
      fallback: 0,
      min: 0,
      unit: 'quota',
      label: { zh: '允许透支额度', en: 'Tolerated overdraft' },
      help: {
        zh: '进行中的请求可使用户或令牌的余额低于零的最大额度；0 表示不允许，余额用尽时流式回答会立即结束',
        en: 'How far below zero the balance of a user or key may come by requests under way; at 0 a stream ends when the balance is used up',
      },
    }),
    FreeModelsWithoutBalance: flag({
      fallback: false,
      label: { zh: '免费模型无需余额', en: 'Free models need no balance' },
      help: {
        zh: '价格为 0 的调用在余额为零或为负时也可进行',
        en: 'Calls whose price is 0 are made also where the balance is zero or below',
      },
    }),
    MaxTokensPerUser: integer({
      fallback: 1000,
      min: 1,
      label: { zh: '每个用户的令牌数量上限', en: 'Keys per user' },
      help: { zh: '已有的令牌不受影响', en: 'Existing keys stay' },
    }),
    QuotaForInviter: integer({
      fallback: 0,
      min: 0,
      unit: 'quota',
      label: { zh: '邀请新用户奖励额度', en: 'Reward for inviting a user' },
      help: { zh: '划转后才可使用', en: 'Usable once transferred' },
    }),
    QuotaForInvitee: integer({
      fallback: 0,
      min: 0,
      unit: 'quota',
      label: { zh: '新用户使用邀请码奖励额度', en: 'Reward for using an invite code' },
      help: { zh: '加在初始额度之上', en: 'On top of the initial quota' },
    }),
  },
})
