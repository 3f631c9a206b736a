import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSerialQueue } from '../../../lib/serial-queue.ts'
import type { Hold, HoldAnswer } from '../../../relay/ports.ts'
import type { Epoch } from '../../epoch/stored-epoch.ts'
import type { AccountStore } from '../account-store.ts'
import type { AccountBalance, AccountName, Charging } from '../accounts.ts'
import { openMemoryStores } from '../memory-store.ts'
import { openSharedAccounts, type StoreHooks } from '../shared-accounts.ts'
import { createLeaseBook } from './lease-book.ts'
import { createPendings } from './pendings.ts'

const userId = 1
const tokenId = 2

/** A database of two balances, and workers that share them. */
const openSite = (balances: { user: number; token: number }) => {
  const stores = openMemoryStores()
  const asked = { reserve: 0, lease: 0 }
  let version = 1
  const epoch: Epoch = {
    name: 'one',
    read: async () => 'one',
    use: () => undefined,
    renew: async () => 'two',
    lastEntry: async () => ({ id: version, movement: 'last' }),
    movementOf: async () => 'last',
  }
  const rows = (): AccountBalance[] => [
    { account: 'user', id: userId, balance: balances.user, version, unlimited: false },
    { account: 'token', id: tokenId, balance: balances.token, version, unlimited: false },
  ]
  const read = async (names: readonly AccountName[]): Promise<AccountBalance[]> =>
    rows().filter((row) => names.some(({ account, id }) => row.account === account && row.id === id))

  /** Messages take a turn of the event loop each way, as between processes. */
  const distant = ({ node, onRecall }: StoreHooks): AccountStore => {
    const store = stores.storeOf(
      node,
      () => 'one',
      (accounts) => void turn().then(() => onRecall(accounts)),
    )
    const sent = async <T>(ask: () => Promise<T>): Promise<T> => {
      await turn()
      const answer = await ask()
      await turn()
      return answer
    }
    return {
      ...store,
      reserve(request) {
        asked.reserve += 1
        return sent(() => store.reserve(request))
      },
      lease(request) {
        asked.lease += 1
        return sent(() => store.lease(request))
      },
      change: (changes) => sent(() => store.change(changes)),
      recall: (accounts) => sent(() => store.recall(accounts)),
    }
  }

  const openWorker = async (name: string) => {
    let node = ''
    let away = false
    const accounts = await openSharedAccounts({
      queue: createSerialQueue(),
      read,
      epoch,
      nodeName: name,
      beatMs: 600_000,
      patienceMs: 0,
      warn: () => undefined,
      async openStore(hooks) {
        node = hooks.node
        const store = distant(hooks)
        return { ...store, reserve: (request) => (away ? Promise.reject(new Error('away')) : store.reserve(request)) }
      },
    })
    return {
      accounts,
      held: [] as { hold: Hold; amount: number }[],
      charged: [] as Charging[],
      kill: () => stores.ended(node),
      goAway() {
        away = true
      },
    }
  }

  /** Changes the balances by so much, as a transaction does; answers what it read then. */
  const move = (user: number, token: number): AccountBalance[] => {
    balances.user += user
    balances.token += token
    version += 1
    return rows()
  }
  return { openWorker, move, balances, asked }
}

type Worker = Awaited<ReturnType<ReturnType<typeof openSite>['openWorker']>>

const ask = async ({ accounts, held }: Worker, amount: number, token = 0): Promise<HoldAnswer> => {
  const answer = await accounts.hold({ userId, tokenId: token, tokenUnlimited: false, amount })
  if (answer.kind === 'held') held.push({ hold: answer.hold, amount })
  return answer
}

const sumOf = (workers: readonly Worker[]): number =>
  workers
    .flatMap(({ held, charged }) => [...held.map(({ amount }) => amount), ...charged.map(({ quota }) => quota)])
    .reduce((sum, one) => sum + one, 0)

describe('leases of balances', () => {
  it('forget no account that a call has, be it with an amount of 0', () => {
    const none = async (): Promise<void> => undefined
    const book = createLeaseBook({ ask: none, publish: none, doubt: () => undefined, now: () => 0 })
    const pendings = createPendings({ book, publish: none })
    const account = book.of({ account: 'user', id: userId })
    const pending = pendings.hold([account], 0)
    account.asking = false
    book.sweep()
    expect(book.find(account)).toBe(account)
    pending.release()
    book.sweep()
    expect(book.find(account)).toBeUndefined()
  })

  it('never let workers hold more than there is, and lose nothing, whoever asks, charges, moves or dies', async () => {
    const what = fc.constantFrom(
      'hold',
      'hold',
      'hold',
      'drain',
      'settle',
      'settle',
      'commit',
      'top up',
      'take',
      'pay out',
      'die',
      'die paying',
    )
    const steps = fc.array(fc.record({ worker: fc.nat({ max: 2 }), what, amount: fc.nat({ max: 60 }) }), {
      minLength: 20,
      maxLength: 120,
    })
    await fc.assert(
      fc.asyncProperty(steps, fc.constantFrom(300, 3_000, 20_000), async (list, start) => {
        const { openWorker, move, balances } = openSite({ user: start, token: start - 100 })
        const names = ['a', 'b', 'c']
        const workers = await Promise.all(names.map(openWorker))
        const rest = (): number => Math.min(balances.user, balances.token) - sumOf(workers)
        const pending: Promise<unknown>[] = []
        for (const step of list) {
          const worker = workers[step.worker]
          if (worker === undefined) continue
          const { accounts, held, charged } = worker
          if (step.what === 'hold') pending.push(ask(worker, step.amount, tokenId))
          else if (step.what === 'drain') {
            // Down to less than one more call, on this worker alone.
            for (let call = 0; call < 1000; call += 1)
              if ((await ask(worker, step.amount + 1, tokenId)).kind === 'refused') break
          } else if (step.what === 'settle') {
            const open = held.pop()
            if (open === undefined) continue
            const charge: Charging = { userId, tokenId, quota: Math.min(open.amount, step.amount), hold: open.hold }
            accounts.charging(charge)
            charged.push(charge)
          } else if (step.what === 'commit') {
            const records = charged.splice(0)
            const sum = records.reduce((total, { quota }) => total + quota, 0)
            await accounts.committed(records, move(-sum, -sum))
          } else if (step.what === 'top up') await accounts.committed([], move(step.amount, step.amount))
          else if (step.what === 'take') {
            await Promise.all(pending.splice(0))
            // An operator takes nearly all that is not in use; from then on it may not be spent.
            const taken = Math.max(0, rest() - step.amount)
            await accounts.committed([], move(-taken, -taken))
          } else if (step.what === 'pay out') {
            const answer = await accounts.reserve({ account: 'user', id: userId }, step.amount)
            if (answer.kind === 'held') await accounts.committed([{ hold: answer.hold }], move(-step.amount, 0))
          } else {
            await Promise.all(pending.splice(0))
            if (step.what === 'die paying') {
              const answer = await accounts.reserve({ account: 'user', id: userId }, step.amount)
              // Committed without notice to the stores.
              if (answer.kind === 'held') move(-step.amount, 0)
            }
            worker.kill()
            const fresh = await openWorker(names[step.worker] ?? '')
            for (const { quota } of charged) fresh.charged.push({ userId, tokenId, quota, hold: undefined })
            await fresh.accounts.leftOver(fresh.charged)
            fresh.accounts.started()
            workers[step.worker] = fresh
          }
          if (step.amount % 3 === 0) await turn()
          expect(rest()).toBeGreaterThanOrEqual(0)
        }
        await Promise.all(pending)
        expect(rest()).toBeGreaterThanOrEqual(0)
        // All that is left can be held, and not one more, wherever one asks.
        const left = rest()
        for (const worker of workers) {
          expect(await ask(worker, left + 1, tokenId)).toMatchObject({ kind: 'refused', remain: expect.any(Number) })
        }
        const [first] = workers
        if (left > 0 && first !== undefined) expect(await ask(first, left, tokenId)).toMatchObject({ kind: 'held' })
        for (const { accounts } of workers) await accounts.close()
      }),
      { numRuns: 100 },
    )
  })

  it('answer nearly all calls without a question where the balance is large', async () => {
    const { openWorker, asked } = openSite({ user: 10_000_000, token: 10_000_000 })
    const workers = await Promise.all(['a', 'b'].map(openWorker))
    for (let round = 0; round < 500; round += 1) {
      for (const worker of workers) {
        await ask(worker, 100, tokenId)
        worker.held.pop()?.hold.release()
      }
    }
    expect(asked.reserve + asked.lease).toBeLessThan(50)
  })

  it('bring back what another has leased before anybody is refused', async () => {
    const { openWorker } = openSite({ user: 1_000_000, token: 1_000_000 })
    const [north, south] = await Promise.all([openWorker('a'), openWorker('b')])
    for (let round = 0; round < 20; round += 1) {
      await ask(north, 1000)
      await turn()
      north.held.pop()?.hold.release()
    }
    expect(await ask(south, 1_000_001)).toMatchObject({ kind: 'refused', remain: 1_000_000 })
    expect(await ask(south, 1_000_000)).toMatchObject({ kind: 'held' })
    expect(await ask(north, 1)).toMatchObject({ kind: 'refused', remain: 0 })
  })

  it('end where the balance is taken away, at once on every worker', async () => {
    const { openWorker, move } = openSite({ user: 1_000_000, token: 1_000_000 })
    const [north, south] = await Promise.all([openWorker('a'), openWorker('b')])
    await ask(north, 1000)
    await turn()
    await turn()
    await turn()
    // In the same step: there is a lease.
    expect(north.accounts.hold({ userId, tokenId: 0, amount: 10 })).toMatchObject({ kind: 'held' })
    await south.accounts.committed([], move(-1_000_000, 0))
    expect(await ask(north, 1)).toMatchObject({ kind: 'refused', account: 'user' })
  })

  it('go on alone as far as they reach while the others cannot be asked', async () => {
    const { openWorker } = openSite({ user: 1_000_000, token: 1_000_000 })
    const north = await openWorker('a')
    await ask(north, 1000)
    await turn()
    await turn()
    await turn()
    const { count, quota } = north.accounts.leased()
    expect(count).toBe(1)
    expect(quota).toBeGreaterThanOrEqual(42 * 1500)
    north.goAway()
    let held = 0
    const next = (): Promise<boolean> =>
      ask(north, 1500).then(
        () => true,
        () => false,
      )
    while (await next()) held += 1
    // 64 times 1000 are leased.
    expect(held).toBe(42)
    expect(north.accounts.leased().quota).toBeLessThan(1500)
    await expect(ask(north, 1500)).rejects.toMatchObject({ code: 'recording_failed' })
  })
})
