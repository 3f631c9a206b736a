import { client } from '@tollgate/contract/errors/error-text'
import type { ModuleData } from '@tollgate/contract/modules/module-data'

/** Codes that add to the balance of those who redeem them. */
export const module = {
  areas: [['/api/redemption', 'billing']],
  logEvents: {},
  errors: {
    redemption_name_length: client(400, '兑换码名称长度必须在1-20之间', 'The name of a code has 1 to 20 characters'),
    redemption_count_low: client(400, '兑换码个数必须大于0', 'The number of codes must be above 0'),
    redemption_count_high: client(400, '一次兑换码批量生成的个数不能大于 100', 'At most 100 codes can be made at once'),
    redemption_quota_low: client(400, '兑换码额度必须大于0', 'The quota of a code must be above 0'),
    redemption_expiry_past: client(400, '过期时间不能早于当前时间', 'The expiry lies in the past'),
    redemption_locked: client(409, '只能编辑未使用的兑换码', 'Only unused codes can be edited'),
    redemption_spent: client(409, '已使用的兑换码不能更改状态', 'The status of a used code cannot change'),
    redemption_key_missing: client(400, '未提供兑换码', 'No redemption code given'),
    redemption_key_invalid: client(400, '兑换失败，无效的兑换码', 'Redeeming failed: the code is not valid'),
    redemption_key_used: client(409, '兑换失败，该兑换码已被使用', 'Redeeming failed: the code was used already'),
    redemption_key_expired: client(409, '兑换失败，该兑换码已过期', 'Redeeming failed: the code has expired'),
    redemption_throttled: client(
      429,
      '兑换尝试过于频繁，请 {seconds} 秒后再试',
      'Too many attempts to redeem, try again in {seconds} s',
    ),
  },
} as const satisfies ModuleData
