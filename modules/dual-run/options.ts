import { address, decimal, idEntry, integer, list, secret, section } from '@tollgate/contract/options/kinds'

const dualRun = section({
  name: 'dualRun',
  tab: 'operation',
  title: { zh: '双路比对', en: 'Dual run' },
  behind: { section: 'monitoring', position: 3 },
  options: {
    DualRunAddress: address({
      fallback: '',
      label: { zh: '第二网关地址', en: 'Second gateway address' },
      help: { zh: '部分调用会同时发送到此网关，用于比对', en: 'A share of calls is also sent here for comparison' },
    }),
    DualRunKey: secret({ label: { zh: '第二网关密钥', en: 'Second gateway API key' } }),
    DualRunShare: decimal({
      fallback: 1,
      min: 0,
      max: 100,
      label: { zh: '调用比例（%）', en: 'Share of calls (%)' },
    }),
    DualRunModels: list({
      fallback: [],
      label: { zh: '仅这些模型', en: 'Only these models' },
    }),
    DualRunTokens: list({
      fallback: [],
      each: idEntry,
      label: { zh: '仅这些令牌 ID', en: 'Only these key IDs' },
    }),
    DualRunDailyQuota: integer({
      fallback: 500_000,
      min: 0,
      unit: 'quota',
      label: { zh: '每日费用上限', en: 'Daily cost limit' },
    }),
  },
})

export const sections = [dualRun] as const
