import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { testUser } from '../../../test/support/db/rows.ts'
import { aRecord } from '../../../test/support/journal/records.ts'
import { newJournalDirectory, openTestLedger } from '../../../test/support/ledger/ledger.ts'
import { insertReturningId } from '../../db/dialect.ts'
import { openSecrets } from '../../lib/security/secrets.ts'
import { createTokenService } from './service.ts'
import { openTokenStore } from './store.ts'
import type { Owner } from './trace.ts'

const secrets = openSecrets({ cryptoSecret: 'for tests', keyFile: '' })
const rounds = 60

describeEachEngine('tokens that are edited while they are charged', (open) => {
  it('always hold the sum of their entries, and have used the sum of their charges', async () => {
    const database = await open()
    const { directory, remove } = await newJournalDirectory()
    const { ledger, crash } = await openTestLedger(database, directory)
    const userId = await insertReturningId(database.query, 'users', { ...testUser('racer'), quota: 0, used_quota: 0 })
    await ledger.movements.adjust({ userId, amount: 10_000_000, reason: 'adjust' })
    const owner: Owner = { id: userId, username: 'racer', group: 'default', ip: '' }
    const tokens = createTokenService({
      mostTokens: () => 1000,
      database,
      store: openTokenStore(database),
      secrets,
      ledger: ledger.movements,
      groupUsable: () => true,
      directory: { changed: () => undefined },
      audit: { record: async () => undefined },
      clock: Date.now,
    })
    const common = { expired_time: -1, model_limits_enabled: false, model_limits: '', allow_ips: '', group: '' }
    const made = await tokens.createMany(owner, {
      ...common,
      name: 'race',
      remain_quota: 100_000,
      unlimited_quota: false,
      count: 4,
    })
    const charged = new Map(made.map(({ id }) => [id, 0]))
    let call = 0

    const charge = async (tokenId: number): Promise<void> => {
      call += 1
      const requestId = `request-${call}`
      const quota = 1 + (call % 17)
      const answer = await ledger.holds.hold({ userId, tokenId, amount: quota })
      if (answer.kind === 'refused') return
      charged.set(tokenId, (charged.get(tokenId) ?? 0) + quota)
      await ledger.recorder.charge(aRecord(requestId, { userId, tokenId, quota, channelId: 1 }), answer.hold)
    }
    const edit = async (id: number, round: number): Promise<void> => {
      if (round % 4 === 0) await tokens.update(owner, { id, name: `round ${round}` })
      else if (round % 4 === 1) await tokens.update(owner, { id, unlimited_quota: round % 8 === 1 })
      else await tokens.update(owner, { id, remain_quota: 50_000 + round * 10 })
    }
    for (let round = 0; round < rounds; round += 1) {
      const charges = made.flatMap(({ id }) => [charge(id), charge(id), charge(id)])
      await Promise.all([...charges, ...made.map(({ id }) => edit(id, round))])
    }
    await ledger.flush()

    const rows = await database.query.selectFrom('tokens').selectAll().where('user_id', '=', userId).execute()
    expect(rows).toHaveLength(made.length)
    for (const row of rows) {
      const { sum } = await database.query
        .selectFrom('ledger_entries')
        .select(sql<number>`sum(amount)`.as('sum'))
        .where((eb) => eb.or([eb.and({ account: 'token', account_id: row.id }), eb('token_id', '=', row.id)]))
        .executeTakeFirstOrThrow()
      expect(row.remain_quota).toBe(Number(sum))
      expect(row.used_quota).toBe(charged.get(row.id))
      expect(row.used_quota).toBeGreaterThan(0)
    }
    await crash()
    await remove()
  })
})
