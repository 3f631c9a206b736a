import { expect, it } from 'vitest'
import { describeEachEngine } from '../../test/support/db/databases.ts'
import { aBegin, aRecord } from '../../test/support/journal/records.ts'
import { newJournalDirectory, newToken, newUser, openTestLedger } from '../../test/support/ledger/ledger.ts'
import type { AccountBalance } from './holds/accounts.ts'

describeEachEngine('listeners of charges', (open) => {
  it('receive the remaining balance of each user who paid, once it is in the database', async () => {
    const database = await open()
    const { directory, remove } = await newJournalDirectory()
    const warnings: string[] = []
    const { ledger, crash } = await openTestLedger(database, directory, { warn: (message) => warnings.push(message) })
    const [payer, guest] = [await newUser(database, ledger, 1000), await newUser(database, ledger, 1000)]
    const reported: AccountBalance[] = []
    ledger.whenCharged((balances) => {
      reported.push(...balances)
      throw new Error('a listener must not hold up the money')
    })
    const charge = async (id: string, userId: number, quota: number): Promise<void> => {
      ledger.recorder.begin(aBegin(id, { userId, tokenId: 0 }))
      await ledger.recorder.charge(aRecord(id, { userId, tokenId: 0, quota }))
    }
    await Promise.all([charge('a', payer, 300), charge('b', payer, 100), charge('c', guest, 0)])
    await ledger.flush()

    expect(reported.at(-1)).toMatchObject({ account: 'user', id: payer, balance: 600 })
    expect(reported.every(({ id }) => id === payer)).toBe(true)
    expect(new Set(warnings)).toEqual(new Set(['charge_listener_failed']))
    const rows = await database.query.selectFrom('users').select('quota').where('id', '=', payer).execute()
    expect(rows).toEqual([{ quota: 600 }])
    await crash()
    await remove()
  })

  it('receive the limited tokens that a batch left without quota', async () => {
    const database = await open()
    const { directory, remove } = await newJournalDirectory()
    const { ledger, crash } = await openTestLedger(database, directory)
    const userId = await newUser(database, ledger, 10_000)
    const [exact, below, left, unlimited] = await Promise.all([
      newToken(database, ledger, { userId, remain: 300 }),
      newToken(database, ledger, { userId, remain: 299 }),
      newToken(database, ledger, { userId, remain: 301 }),
      newToken(database, ledger, { userId, remain: 0, unlimited: true }),
    ])
    const spent: number[] = []
    ledger.whenSpent((ids) => spent.push(...ids))
    for (const tokenId of [exact, below, left, unlimited]) {
      await ledger.recorder.charge(aRecord(`spent-${tokenId}`, { userId, tokenId, quota: 300 }))
    }
    await ledger.flush()
    expect(spent.sort((one, other) => one - other)).toEqual([exact, below].sort((one, other) => one - other))
    await crash()
    await remove()
  })
})
