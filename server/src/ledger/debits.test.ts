import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { describeEachEngine } from '../../test/support/db/databases.ts'
import { aRecord } from '../../test/support/journal/records.ts'
import {
  newJournalDirectory,
  newToken,
  newUser,
  openTestLedger,
  type TestLedger,
} from '../../test/support/ledger/ledger.ts'
import type { Database } from '../db/database.ts'
import { insertReturningId } from '../db/dialect.ts'
import type { Hold } from '../relay/ports.ts'

describeEachEngine('what leaves an account', (openDatabase) => {
  let database: Database
  let open: TestLedger
  let from: number
  let to: number
  let names = 0
  const next = (): number => {
    names += 1
    return names
  }

  beforeEach(async () => {
    database = await openDatabase()
    const { directory, remove } = await newJournalDirectory()
    // Charges stay in the journal until a test asks for them.
    open = await openTestLedger(database, directory, { delayMs: 600_000 })
    onTestFinished(async () => {
      await open.crash()
      await remove()
    })
    from = await newUser(database, open.ledger, 1000)
    to = await newUser(database, open.ledger, 0)
  })

  const transfer = (amount: number, id = `transfer:${next()}`): Promise<boolean> => {
    const common = { account: 'user', reason: 'transfer', amount } as const
    return open.ledger.movements.move({
      id,
      takes: [{ ...common, accountId: from }],
      gives: [{ ...common, accountId: to }],
    })
  }
  const hold = async (amount: number, tokenId = 0): Promise<Hold> => {
    const answer = await open.ledger.holds.hold({ userId: from, tokenId, amount })
    return answer.kind === 'held' ? answer.hold : expect.fail('refused')
  }
  const charge = (quota: number, held: Hold, tokenId = 0): Promise<void> =>
    open.ledger.recorder.charge(aRecord(`call-${from}-${next()}`, { userId: from, tokenId, quota }), held)
  const balance = async (id: number): Promise<number> =>
    (await database.query.selectFrom('users').select('quota').where('id', '=', id).executeTakeFirstOrThrow()).quota
  const remain = async (id: number): Promise<number> =>
    (await database.query.selectFrom('tokens').select('remain_quota').where('id', '=', id).executeTakeFirstOrThrow())
      .remain_quota
  const moveKey = (tokenId: number): Promise<number> =>
    open.ledger.movements.moveToken({
      tokenId,
      async begin(trx) {
        const row = await trx.selectFrom('tokens').selectAll().where('id', '=', tokenId).executeTakeFirstOrThrow()
        const { id: _, used_quota: _used, remain_quota: _remain, ...columns } = row
        await trx
          .updateTable('tokens')
          .set({ key_hash: `moved ${tokenId}` })
          .where('id', '=', tokenId)
          .execute()
        return insertReturningId(trx, 'tokens', columns)
      },
    })
  const tooSmall = { code: 'balance_too_small' }

  it('is not what calls hold', async () => {
    const held = await hold(900)
    await expect(transfer(101)).rejects.toMatchObject(tooSmall)
    await expect(open.ledger.movements.adjust({ userId: from, amount: -101 })).rejects.toMatchObject(tooSmall)
    expect(await transfer(100)).toBe(true)
    await charge(900, held)
    await open.ledger.flush()
    expect([await balance(from), await balance(to)]).toEqual([0, 100])
    // Nothing stays held of what was refused or made.
    expect(open.ledger.openHolds()).toEqual({ count: 0, quota: 0 })
  })

  it('is not what calls were charged, before it is booked', async () => {
    await charge(900, await hold(900))
    expect(await balance(from)).toBe(1000)
    await expect(transfer(101)).rejects.toMatchObject(tooSmall)
    expect(await transfer(100)).toBe(true)
    await open.ledger.flush()
    expect([await balance(from), await balance(to)]).toEqual([0, 100])
  })

  it('is free for no call while it leaves, and free again when it stays', async () => {
    const begun = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    // A failed expectation must not leave the movement open: closing the ledger waits for it.
    onTestFinished(() => goOn.resolve())
    const common = { account: 'user', reason: 'transfer', amount: 800 } as const
    const leaving = open.ledger.movements.move({
      id: `slow-${from}`,
      takes: [{ ...common, accountId: from }],
      gives: [{ ...common, accountId: to }],
      async guard() {
        begun.resolve()
        await goOn.promise
        throw new Error('refused in the end')
      },
    })
    await begun.promise
    expect(await open.ledger.holds.hold({ userId: from, tokenId: 0, amount: 201 })).toMatchObject({
      kind: 'refused',
      remain: 200,
    })
    goOn.resolve()
    await expect(leaving).rejects.toThrow('refused in the end')
    ;(await hold(1000)).release()
    expect([await balance(from), await balance(to)]).toEqual([1000, 0])
  })

  it('leaves once, also where a repeat finds nothing left', async () => {
    expect(await transfer(1000, `once-${from}`)).toBe(true)
    expect(await transfer(1000, `once-${from}`)).toBe(false)
    expect([await balance(from), await balance(to)]).toEqual([0, 1000])
  })

  it('can only be given to a movement as what it takes', async () => {
    const credit = { account: 'user', accountId: from, amount: -1, reason: 'transfer' } as const
    await expect(open.ledger.movements.move({ id: `negative-${from}`, gives: [credit] })).rejects.toMatchObject({
      code: 'invalid_parameter',
    })
    expect(await balance(from)).toBe(1000)
  })

  it('lets an operator set a balance, from which calls under way are charged all the same', async () => {
    const held = await hold(900)
    await open.ledger.movements.setBalance({ userId: from, balance: 500 })
    expect(await balance(from)).toBe(500)
    expect(await open.ledger.holds.hold({ userId: from, tokenId: 0, amount: 1 })).toMatchObject({
      kind: 'refused',
      remain: -400,
    })
    await charge(900, held)
    await open.ledger.flush()
    expect(await balance(from)).toBe(-400)
  })

  it('is of a moved key what no call holds or was charged', async () => {
    const key = await newToken(database, open.ledger, { userId: from, remain: 500 })
    const held = await hold(200, key)
    await charge(100, await hold(100, key), key)
    const moved = await moveKey(key)
    await charge(200, held, key)
    await open.ledger.flush()
    expect([await remain(key), await remain(moved)]).toEqual([0, 200])
  })

  it('is of a moved key what it owes', async () => {
    const key = await newToken(database, open.ledger, { userId: from, remain: 50 })
    await charge(80, await hold(50, key), key)
    await open.ledger.flush()
    const moved = await moveKey(key)
    expect([await remain(key), await remain(moved)]).toEqual([0, -30])
  })

  it('never brings a balance above what a number holds', async () => {
    const most = Number.MAX_SAFE_INTEGER
    await open.ledger.movements.setBalance({ userId: to, balance: most })
    const tooLarge = { code: 'balance_too_large' }
    await expect(transfer(1)).rejects.toMatchObject(tooLarge)
    await expect(open.ledger.movements.adjust({ userId: to, amount: 1 })).rejects.toMatchObject(tooLarge)
    await expect(open.ledger.movements.adjust({ userId: to, amount: most })).rejects.toMatchObject(tooLarge)
    expect([await balance(from), await balance(to)]).toEqual([1000, most])
    ;(await hold(1000)).release()
  })
})
