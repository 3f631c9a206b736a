import { expect, it } from 'vitest'
import { describeEachEngine } from '../../test/support/db/databases.ts'
import { aRecord } from '../../test/support/journal/records.ts'
import { newJournalDirectory, newToken, newUser, openTestLedger } from '../../test/support/ledger/ledger.ts'
import { readBalances } from './balances.ts'

describeEachEngine('balances as the database has them', (openDatabase) => {
  it('are newer with every movement, also where the charge of a token stands in its user’s entry', async () => {
    const database = await openDatabase()
    const { directory, remove } = await newJournalDirectory()
    const { ledger, crash } = await openTestLedger(database, directory)
    const userId = await newUser(database, ledger, 1000)
    const tokenId = await newToken(database, ledger, { userId, remain: 900 })
    const versions = async () => {
      const balances = await readBalances(
        database.query,
        [
          { account: 'user', id: userId },
          { account: 'token', id: tokenId },
        ],
        { versions: true },
      )
      return balances.map(({ version }) => version)
    }
    const charge = async (id: string, of: { tokenId: number }) => {
      await ledger.recorder.charge(aRecord(id, { userId, quota: 10, ...of }))
      await ledger.flush()
    }
    const [user, token] = await versions()
    expect(token).toBe(Number(user) + 1)
    await charge('first', { tokenId })
    const [charged] = await versions()
    expect(charged).toBeGreaterThan(Number(token))
    expect(await versions()).toEqual([charged, charged])
    await charge('without a key', { tokenId: 0 })
    expect((await versions())[1]).toBe(charged)
    await ledger.movements.adjustToken({ tokenId, amount: 5 })
    const [last, adjusted] = await versions()
    expect(adjusted).toBeGreaterThan(Number(last))
    expect(await readBalances(database.query, [{ account: 'token', id: tokenId }], { versions: false })).toEqual([
      { account: 'token', id: tokenId, balance: 895, unlimited: false, version: 0 },
    ])
    await crash()
    await remove()
  })
})
