import fc from 'fast-check'
import { expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { aRecord } from '../../../test/support/journal/records.ts'
import { newJournalDirectory, newUser, openTestLedger, type TestLedger } from '../../../test/support/ledger/ledger.ts'
import type { Database } from '../../db/database.ts'
import type { Hold } from '../../relay/ports.ts'
import { openEpoch } from '../epoch/stored-epoch.ts'
import { openMemoryStores } from '../holds/memory-store.ts'
import { openSharedAccounts } from '../holds/shared-accounts.ts'
import { verifyTransfers } from './verify-transfers.ts'

const start = 1_790_000_000_000

/** Two nodes that share balances, on a clock that only the test moves; the clocks of the nodes differ by `apartMs`. */
const openSite = async (database: Database, apartMs: number) => {
  let passed = 0
  const stores = openMemoryStores()
  const directories: { remove(): Promise<void> }[] = []
  const openNode = async (nodeName: string, offset: number) => {
    const journal = await newJournalDirectory()
    directories.push(journal)
    const epoch = await openEpoch(database)
    const now = (): number => start + passed + offset
    const open = await openTestLedger(database, journal.directory, {
      now,
      // Charges stay in the journal until a test asks for them.
      delayMs: 600_000,
      openAccounts: (parts) =>
        openSharedAccounts({
          ...parts,
          epoch,
          nodeName,
          beatMs: 600_000,
          warn: () => undefined,
          openStore: async ({ node, epoch: name, onRecall }) => stores.storeOf(node, name, onRecall),
        }),
    })
    return { ...open, now }
  }
  const nodes = [await openNode('north', 0), await openNode('south', apartMs)] as const
  return {
    nodes,
    wait(ms: number) {
      passed += ms
    },
    async close() {
      for (const node of nodes) await node.crash()
      for (const { remove } of directories) await remove()
    },
  }
}

type Site = Awaited<ReturnType<typeof openSite>>
type Node = TestLedger & { readonly now: () => number }

interface Running {
  readonly node: Node
  readonly hold: Hold
  readonly heldAt: number
}

let numbers = 0
const next = (): number => {
  numbers += 1
  return numbers
}

const begin = async (node: Node, userId: number, amount: number, overdraft = 0): Promise<Running | undefined> => {
  const answer = await node.ledger.holds.hold({ userId, tokenId: 0, amount, spare: 0 - overdraft })
  return answer.kind === 'held' ? { node, hold: answer.hold, heldAt: node.now() } : undefined
}

const end = ({ node, hold, heldAt }: Running, userId: number, quota: number): Promise<void> =>
  node.ledger.recorder.charge(aRecord(`call-${next()}`, { at: node.now(), userId, tokenId: 0, quota }), hold, heldAt)

const transfer = (node: Node, from: number, to: number, amount: number): Promise<unknown> => {
  const common = { account: 'user', reason: 'transfer', amount } as const
  const sides = { takes: [{ ...common, accountId: from }], gives: [{ ...common, accountId: to }] }
  return node.ledger.movements.move({ id: `transfer-${next()}`, ...sides }).catch(tooSmall)
}

const tooSmall = (error: unknown): void => {
  expect(error).toMatchObject({ code: 'balance_too_small' })
}

/** A transfer without a hold, as earlier versions made it: only the booked balance had to suffice. */
const takeUnheld = async ({ query }: Database, userId: number, amount: number, at: number): Promise<string> => {
  const movement = `unheld-${next()}`
  const entry = { movement, account: 'user', account_id: userId, reason: 'transfer', detail: '{}' } as const
  const created_at = Math.floor(at / 1000)
  await query
    .insertInto('ledger_entries')
    .values({ ...entry, amount: 0 - amount, created_at })
    .execute()
  return movement
}

const flush = async ({ nodes }: Site): Promise<void> => {
  for (const { ledger } of nodes) await ledger.flush()
}

const foundOf = async (database: Database, wallet: number) =>
  (await verifyTransfers(database)).filter(({ id }) => id === wallet)

describeEachEngine('verification of what left a wallet', (openDatabase) => {
  it('finds what took the holds of calls under way, and names wallet and movement', async () => {
    const database = await openDatabase()
    const site = await openSite(database, 0)
    const [node] = site.nodes
    const wallet = await newUser(database, node.ledger, 50_000)
    const calls: Running[] = []
    for (let index = 0; index < 50; index += 1) {
      const call = await begin(node, wallet, 900)
      if (call !== undefined) calls.push(call)
    }
    expect(calls).toHaveLength(50)
    site.wait(5000)
    const movement = await takeUnheld(database, wallet, 50_000, node.now())
    site.wait(5000)
    for (const call of calls) await end(call, wallet, 860)
    await flush(site)
    expect(await foundOf(database, wallet)).toEqual([
      { account: 'user', id: wallet, what: 'left for calls', stored: 0, computed: 45_000, movement },
    ])
    await site.close()
  })

  it('finds it exactly where less was left than calls held, whatever they cost', async () => {
    const database = await openDatabase()
    const site = await openSite(database, 0)
    const calls = fc.array(
      fc.record({ node: fc.nat({ max: 1 }), held: fc.integer({ min: 1, max: 100 }), part: fc.nat({ max: 10 }) }),
      {
        minLength: 1,
        maxLength: 8,
      },
    )
    await fc.assert(
      fc.asyncProperty(calls, fc.nat({ max: 400 }), fc.boolean(), async (planned, left, isBooked) => {
        const wallet = await newUser(database, site.nodes[0].ledger, 1000)
        const running: { call: Running; charge: number }[] = []
        for (const { node, held, part } of planned) {
          const call = await begin(site.nodes[node === 0 ? 0 : 1], wallet, held)
          if (call !== undefined) running.push({ call, charge: Math.floor((held * part) / 10) })
        }
        const held = running.reduce((sum, { call }) => sum + call.hold.quota, 0)
        // One that began and ended before needs nothing any more.
        const over = await begin(site.nodes[0], wallet, 30)
        if (over !== undefined) await end(over, wallet, 30)
        await flush(site)
        site.wait(5000)
        await takeUnheld(database, wallet, 970 - left, site.nodes[0].now())
        if (isBooked) await flush(site)
        site.wait(6000)
        for (const { call, charge } of running) await end(call, wallet, charge)
        await flush(site)
        expect((await foundOf(database, wallet)).map(({ stored, computed }) => [stored, computed])).toEqual(
          held > left ? [[left, held]] : [],
        )
      }),
      { numRuns: database.engine === 'sqlite' ? 15 : 5 },
    )
    await site.close()
  })

  it('finds nothing in any history that asked for its holds', async () => {
    const database = await openDatabase()
    const site = await openSite(database, database.engine === 'sqlite' ? 400 : 1800)
    const to = await newUser(database, site.nodes[0].ledger, 0)
    const step = fc.record({
      node: fc.nat({ max: 1 }),
      what: fc.constantFrom(
        'begin',
        'begin',
        'begin',
        'end',
        'end',
        'fail',
        'pay out',
        'debit',
        'set',
        'top up',
        'flush',
      ),
      amount: fc.nat({ max: 200 }),
      // Of a call's hold; a call may cost more than it held.
      part: fc.nat({ max: 14 }),
      overdraft: fc.constantFrom(0, 0, 0, 150),
      waitMs: fc.constantFrom(0, 0, 1, 300, 900, 2500, 7000),
    })
    const common = { node: 0, amount: 100, part: 10, overdraft: 0, waitMs: 300 } as const
    // Few random histories may have no payment that the wallet can make.
    const paidOut = { ...common, what: 'pay out' } as const
    const begun = { ...common, what: 'begin' } as const
    let payments = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 50 }), async (steps) => {
        const wallet = await newUser(database, site.nodes[0].ledger, 500)
        const running: Running[] = []
        for (const { node: number, what, amount, part, overdraft, waitMs } of steps) {
          const node = site.nodes[number === 0 ? 0 : 1]
          const { movements } = node.ledger
          site.wait(waitMs)
          if (what === 'begin') {
            const call = await begin(node, wallet, amount, overdraft)
            if (call !== undefined) running.push(call)
          } else if (what === 'end' || what === 'fail') {
            const [call] = running.splice(amount % Math.max(1, running.length), 1)
            if (call !== undefined && what === 'end') await end(call, wallet, Math.floor((call.hold.quota * part) / 10))
            call?.hold.release()
          } else if (what === 'pay out') {
            if ((await transfer(node, wallet, to, amount)) === true) payments += 1
          } else if (what === 'debit') await movements.adjust({ userId: wallet, amount: 0 - amount }).catch(tooSmall)
          else if (what === 'set') await movements.setBalance({ userId: wallet, balance: amount })
          else if (what === 'top up') await movements.adjust({ userId: wallet, amount })
          else await node.ledger.flush()
        }
        for (const call of running) await end(call, wallet, call.hold.quota)
        await flush(site)
        expect(await foundOf(database, wallet)).toEqual([])
      }),
      { numRuns: database.engine === 'sqlite' ? 30 : 8, examples: [[[paidOut, begun, paidOut, begun]]] },
    )
    expect(payments).toBeGreaterThan(0)
    await site.close()
  })

  it('judges no call of which nobody knows what it held', async () => {
    const database = await openDatabase()
    const site = await openSite(database, 0)
    const [node] = site.nodes
    const wallet = await newUser(database, node.ledger, 1000)
    const userId = wallet
    await takeUnheld(database, wallet, 900, node.now())
    site.wait(10_000)
    await node.ledger.recorder.charge(aRecord(`call-${next()}`, { at: node.now(), userId, tokenId: 0, quota: 500 }))
    await flush(site)
    expect(await foundOf(database, wallet)).toEqual([])
    await site.close()
  })
})
