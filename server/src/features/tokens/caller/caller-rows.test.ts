import { expect, it } from 'vitest'
import { describeEachEngine } from '../../../../test/support/db/databases.ts'
import { testUser } from '../../../../test/support/db/rows.ts'
import { newJournalDirectory, openTestLedger } from '../../../../test/support/ledger/ledger.ts'
import { insertReturningId } from '../../../db/dialect.ts'
import { openSecrets } from '../../../lib/security/secrets.ts'
import { createTokenService } from '../service.ts'
import { openTokenStore } from '../store.ts'
import { openCallerRows } from './caller-rows.ts'

const secrets = openSecrets({ cryptoSecret: 'for tests', keyFile: '' })

describeEachEngine('keys that are looked up', (open) => {
  it('are each found with their owner among many that do not exist', async () => {
    const database = await open()
    const { directory, remove } = await newJournalDirectory()
    const { ledger, crash } = await openTestLedger(database, directory)
    const userId = await insertReturningId(database.query, 'users', testUser('keeper'))
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
    const made = await tokens.createMany(
      { id: userId, username: 'keeper', group: 'default', ip: '' },
      {
        name: 'many',
        remain_quota: 5,
        unlimited_quota: false,
        count: 3,
        expired_time: -1,
        model_limits_enabled: false,
        model_limits: '',
        allow_ips: '',
        group: '',
      },
    )
    const rows = openCallerRows(database, secrets)
    const hashes = made.map(({ id }) =>
      database.query.selectFrom('tokens').select('key_hash').where('id', '=', id).executeTakeFirstOrThrow(),
    )
    const stored = (await Promise.all(hashes)).map(({ key_hash }) => key_hash)
    const unknown = Array.from({ length: 600 }, (_, index) => `no such hash ${index}`)
    const found = await Promise.all([...unknown, ...stored].map((hash) => rows.byHash(hash)))
    expect(found.slice(0, 600).filter((row) => row !== undefined)).toEqual([])
    expect(found.slice(600).map((row) => [row?.id, row?.username])).toEqual(made.map(({ id }) => [id, 'keeper']))
    await crash()
    await remove()
  })
})
