import type { Insertable } from 'kysely'
import type { Row } from '../../../src/db/database.ts'
import type { Tables } from '../../../src/db/schema.ts'

/** Rows for tests of the database layer: every column has a value. */
export const testUser = (username: string): Insertable<Tables['users']> => ({
  username,
  password: 'argon2id$…',
  display_name: '测试 🚪',
  role: 1,
  status: 1,
  email: '',
  github_id: '',
  oidc_id: '',
  wechat_id: '',
  telegram_id: '',
  linux_do_id: '',
  access_token_hash: null,
  staff_permissions: null,
  quota: 500_000,
  used_quota: 1,
  request_count: 2,
  group: 'default',
  aff_code: '',
  aff_count: 0,
  aff_quota: 3,
  aff_history_quota: 4,
  inviter_id: 0,
  deleted_at: null,
  setting: '{}',
  created_time: 1_900_000_000,
  last_login_time: 0,
})

export const testLog = (requestId: string) =>
  ({
    user_id: 1,
    created_at: 1_900_000_000,
    type: 2,
    content: '模型倍率 15.00',
    username: 'root',
    token_name: 'it\'s "quoted" \\',
    token_id: 7,
    model_name: 'gpt-4o',
    quota: 1_234,
    prompt_tokens: 100,
    completion_tokens: 50,
    use_time: 3,
    is_stream: 1,
    channel_id: 9,
    group: 'default',
    request_id: requestId,
    ip: '192.0.2.1',
    other: '{"model_ratio":15}',
  }) satisfies Row & Insertable<Tables['logs']>
