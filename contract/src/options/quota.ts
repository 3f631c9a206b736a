import { decimal, flag, integer, section } from './kinds.ts'

export const quota = section({
  tab: 'operation',
  title: { zh: '额度设置', en: 'Quota' },
  options: {
    QuotaPerUnit: decimal({
      fallback: 500_000,
      min: 1,
      status: 'quota_per_unit',
      label: { zh: '单位额度', en: 'Quota per unit' },
      help: { zh: '一单位货币对应的额度', en: 'Quota units that make one unit of currency' },
    }),
    QuotaForNewUser: integer({
      fallback: 0,
      min: 0,
      unit: 'quota',
      label: { zh: '新用户初始额度', en: 'Initial quota for new users' },
    }),
    PreConsumedQuota: integer({
      fallback: 500,
      min: 0,
      unit: 'tokens',
      label: { zh: '请求预扣费额度', en: 'Reserved per request' },
      help: { zh: '请求未给出 max_tokens 时按此数量预留', en: 'Tokens reserved when a request names no max_tokens' },
    }),
    DisplayInCurrencyEnabled: flag({
      fallback: true,
      status: 'display_in_currency',
      label: { zh: '以货币形式显示额度', en: 'Show quota as currency' },
    }),
  },
})
