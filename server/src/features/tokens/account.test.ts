import { beforeAll, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { testUser } from '../../../test/support/db/rows.ts'
import type { Database } from '../../db/database.ts'
import { insertReturningId } from '../../db/dialect.ts'
import { openTokenAccounts } from './account.ts'

const token = (userId: number) => ({
  user_id: userId,
  key_hash: 'of the payer',
  key_cipher: '',
  key_hint: 'abc***xyz',
  status: 1,
  name: 'laptop',
  created_time: 1,
  accessed_time: 1,
  expired_time: 1_900_000_000,
  remain_quota: 400_000,
  unlimited_quota: 0,
  model_limits_enabled: 0,
  model_limits: '',
  allow_ips: '',
  used_quota: 100_000,
  group: '',
  deleted_at: null,
})

describeEachEngine('what billing calls show', (open) => {
  let database: Database
  let caller: { userId: number; tokenId: number }

  beforeAll(async () => {
    database = await open()
    const user = { ...testUser('payer'), quota: 3_000_000, used_quota: 1_000_000 }
    const userId = await insertReturningId(database.query, 'users', user)
    caller = { userId, tokenId: await insertReturningId(database.query, 'tokens', token(userId)) }
  })

  const shown = (ofToken: boolean, inCurrency: boolean) =>
    openTokenAccounts({
      database,
      options: () => ({
        DisplayTokenStatEnabled: ofToken,
        DisplayInCurrencyEnabled: inCurrency,
        QuotaPerUnit: 500_000,
      }),
    })(caller)

  it('is the key in the currency', async () => {
    expect(await shown(true, true)).toEqual({
      remaining: 0.8,
      used: 0.2,
      accessUntil: 1_900_000_000,
      unlimited: false,
    })
  })

  it('is the owner where the operator shows owners', async () => {
    expect(await shown(false, true)).toEqual({ remaining: 6, used: 2, accessUntil: 0, unlimited: false })
  })

  it('is quota where the operator shows quota', async () => {
    expect(await shown(true, false)).toMatchObject({ remaining: 400_000, used: 100_000 })
  })
})
