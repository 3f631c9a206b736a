import { beforeAll, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import type { Database } from '../../db/database.ts'
import { addUsage } from '../../ledger/usage/hours.ts'
import { quotaUsage } from '../../ledger/usage/usage-of.ts'
import { createUserActivity } from './activity.ts'
import { createUserStore } from './store.ts'

const hour = 3_600
const day = 24 * hour
/** Half past three in the afternoon. */
const now = 20_000 * day + 15.5 * hour

describeEachEngine('the activity of users', (open) => {
  let database: Database
  let activity: ReturnType<typeof createUserActivity>
  beforeAll(async () => {
    database = await open()
    activity = createUserActivity(database, () => now * 1000)
  })

  const made = (username: string, lastLogin: number): Promise<number> => {
    const texts = {
      password: '',
      display_name: '',
      email: '',
      github_id: '',
      oidc_id: '',
      wechat_id: '',
      telegram_id: '',
    }
    const row = {
      ...texts,
      linux_do_id: '',
      access_token_hash: null,
      group: 'default',
      aff_code: username,
      setting: '',
    }
    return database.transaction((trx) =>
      createUserStore(database).insert(trx, {
        ...row,
        username,
        role: 1,
        status: 1,
        used_quota: 0,
        request_count: 0,
        aff_count: 0,
        aff_quota: 0,
        aff_history_quota: 0,
        inviter_id: 0,
        deleted_at: null,
        created_time: 0,
        last_login_time: lastLogin,
      }),
    )
  }
  const spend = (user: number, at: number, quota: number) => {
    const dimensions = { user_id: user, token_id: 1, token_name: 'k', channel_id: 1, group: 'default', model_name: 'm' }
    return database.transaction((trx) => addUsage(trx, quotaUsage(at, [{ dimensions, quota, costedQuota: 0 }])))
  }

  it('is the last call or sign-in, and what thirty days cost', async () => {
    const [busy, idle, old] = [
      await made('busy', now - 9 * day),
      await made('idle', 0),
      await made('old', now - 40 * day),
    ]
    await spend(busy, now - 2 * hour, 10)
    await spend(busy, now - 20 * day, 5)
    await spend(busy, now - 31 * day, 100)
    await spend(old, now - 35 * day, 7)
    expect(await activity([busy, idle, old])).toEqual([
      { user_id: busy, last_active: now - 2.5 * hour, spend: 15 },
      { user_id: idle, last_active: 0, spend: 0 },
      { user_id: old, last_active: now - 40 * day, spend: 0 },
    ])
    expect(await activity([])).toEqual([])
  })
})
