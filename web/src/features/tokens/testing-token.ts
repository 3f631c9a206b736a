import type { Token } from '../../lib/api/contract.ts'

/** A key for tests. */
export const testToken = (fields: Partial<Token> = {}): Token => ({
  id: 1,
  tags: {},
  include_cost: false,
  deadline_only: false,
  user_id: 7,
  key: 'abc***xyz',
  status: 1,
  name: 'production',
  created_time: 1_763_600_000,
  accessed_time: 0,
  expired_time: -1,
  remain_quota: 500_000,
  unlimited_quota: false,
  model_limits_enabled: false,
  model_limits: '',
  allow_ips: '',
  used_quota: 0,
  group: '',
  DeletedAt: null,
  ...fields,
})
