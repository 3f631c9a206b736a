import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AccountStore, ReserveRequest } from './account-store.ts'
import type { AccountBalance } from './accounts.ts'
import { openMemoryStores } from './memory-store.ts'

const user = { account: 'user', id: 1 } as const
const balanceOf = (balance: number, version = 1): AccountBalance => ({ ...user, balance, version, unlimited: false })
const request = (amount: number): ReserveRequest => ({
  accounts: [{ ...user, unlessUnlimited: false }],
  amount,
  spare: 0,
  more: false,
})
const epoch = (): string => 'one'
const alone = (): void => undefined
const load = (store: AccountStore, balance: AccountBalance) =>
  store.change([{ ...user, pending: 0, accountBalance: balance }])

describe('accounts of several workers in memory', () => {
  it('never give out more than the balance, whoever asks, holds, charges or dies', async () => {
    const steps = fc.array(
      fc.record({
        worker: fc.nat({ max: 2 }),
        what: fc.constantFrom('reserve', 'reserve', 'reserve', 'settle', 'commit', 'die'),
        amount: fc.nat({ max: 60 }),
      }),
      { maxLength: 120 },
    )
    await fc.assert(
      fc.asyncProperty(steps, async (list) => {
        const stores = openMemoryStores()
        let balance = 200
        let version = 1
        const names = ['a', 'b', 'c']
        const open = (index: number) => {
          const node = `${names[index]}#${randomUUID()}`
          return { node, store: stores.storeOf(node, epoch, alone), held: [] as number[], charged: [] as number[] }
        }
        const workers = [0, 1, 2].map(open)
        await Promise.all(workers.map(({ store }) => load(store, balanceOf(balance))))
        for (const { worker: index, what, amount } of list) {
          const worker = workers[index]
          if (worker === undefined) continue
          const { store, held, charged } = worker
          if (what === 'reserve') {
            if ((await store.reserve(request(amount))).kind === 'held') held.push(amount)
          } else if (what === 'settle') {
            const hold = held.pop()
            if (hold === undefined) continue
            const charge = Math.min(hold, amount)
            charged.push(charge)
            await store.change([{ ...user, pending: charge - hold, accountBalance: undefined }])
          } else if (what === 'commit') {
            const sum = charged.splice(0).reduce((total, charge) => total + charge, 0)
            balance -= sum
            version += 1
            await store.change([{ ...user, pending: -sum, accountBalance: balanceOf(balance, version) }])
          } else {
            // The replacement counts the charges of the journal before it drops the shares of the dead worker.
            stores.ended(worker.node)
            const fresh = open(index)
            fresh.charged.push(...charged)
            const sum = charged.reduce((total, charge) => total + charge, 0)
            await fresh.store.change([{ ...user, pending: sum, accountBalance: undefined }])
            await fresh.store.forgetSilent(`${names[index]}#`, 0)
            // The pending amounts of the dead worker may be in the database: the next request reads the balance again.
            await load(fresh.store, balanceOf(balance, version))
            workers[index] = fresh
          }
          const pending = workers.flatMap((one) => [...one.held, ...one.charged]).reduce((sum, one) => sum + one, 0)
          expect(pending).toBeLessThanOrEqual(balance)
        }
        // Exactly what is left can be held.
        const pending = workers.flatMap((one) => [...one.held, ...one.charged]).reduce((sum, one) => sum + one, 0)
        const left = balance - pending
        const [first] = workers
        expect(await first?.store.reserve(request(left + 1))).toEqual({
          kind: 'refused',
          account: user,
          remain: left,
          leased: false,
          abandoned: false,
        })
      }),
      { numRuns: 200 },
    )
  })

  it('count what a dead worker had until its replacement has taken over', async () => {
    const stores = openMemoryStores()
    const dead = stores.storeOf('n#1', epoch, alone)
    await load(dead, balanceOf(100))
    await dead.reserve(request(80))
    stores.ended('n#1')
    const next = stores.storeOf('n#2', epoch, alone)
    expect(await next.reserve(request(30))).toMatchObject({ kind: 'refused', remain: 20, abandoned: true })
    const waits = next.takenOver(user)
    await next.forgetSilent('n#', 0)
    expect(await waits).toBe(true)
    // A movement of the dead worker may be in the database without its news.
    expect(await next.reserve(request(100))).toEqual({ kind: 'unknown' })
    await load(next, balanceOf(100))
    expect(await next.reserve(request(100))).toMatchObject({ kind: 'held' })
  })

  it('forget nothing of a worker that lives', async () => {
    const stores = openMemoryStores()
    const north = stores.storeOf('n#1', epoch, alone)
    await load(north, balanceOf(100))
    await north.reserve(request(80))
    await stores.storeOf('n#2', epoch, alone).forgetSilent('n#', 0)
    expect(await north.reserve(request(30))).toMatchObject({ kind: 'refused', remain: 20 })
  })

  it('take the newest balance, whichever worker brings it first', async () => {
    const stores = openMemoryStores()
    const [north, south] = [stores.storeOf('n', epoch, alone), stores.storeOf('s', epoch, alone)]
    await load(north, balanceOf(40, 3))
    await load(south, balanceOf(100, 2))
    expect(await south.reserve(request(50))).toMatchObject({ kind: 'refused', remain: 40 })
    await south.doubt([user])
    expect(await south.reserve(request(50))).toEqual({ kind: 'unknown' })
  })

  it('send everybody to the next history when one is closed', async () => {
    const stores = openMemoryStores()
    let name = 'one'
    const store = stores.storeOf('n', () => name, alone)
    await load(store, balanceOf(100))
    await store.closeEpoch()
    expect(await store.reserve(request(1))).toEqual({ kind: 'lost' })
    expect(await store.beat()).toBe(false)
    name = 'two'
    expect(await store.reserve(request(1))).toEqual({ kind: 'unknown' })
  })
})
