import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openWorkerSite, type SiteWorker, type WorkerSite } from '../../../../test/support/ledger/worker-site.ts'
import type { HoldAnswer, HoldRequest } from '../../../relay/ports.ts'
import { type AccountName, type Charging, chargedAccounts, neededAccounts } from '../accounts.ts'

type Payer = Omit<HoldRequest, 'amount'>

/** Two users; a key that their own calls pay without, two with limits, one without, and one in a project with a cap. */
const payers: readonly Payer[] = [
  { userId: 1, tokenId: 0 },
  { userId: 1, tokenId: 11, tokenUnlimited: false },
  { userId: 1, tokenId: 12, tokenUnlimited: false },
  { userId: 1, tokenId: 13, tokenUnlimited: true },
  { userId: 2, tokenId: 21, tokenUnlimited: false, caps: [{ id: 31, of: 'member' }] },
  { userId: 2, tokenId: 0 },
]
const limits: readonly AccountName[] = [
  { account: 'token', id: 11 },
  { account: 'token', id: 12 },
  { account: 'token', id: 21 },
  { account: 'cap', id: 31 },
]
const users: readonly AccountName[] = [
  { account: 'user', id: 1 },
  { account: 'user', id: 2 },
]

interface Call {
  readonly payer: Payer
  readonly amount: number
  readonly answer: Extract<HoldAnswer, { kind: 'held' }>
}

/** A worker with what its calls have held, and with the records of its journal that are not in the database. */
interface Running {
  worker: SiteWorker
  readonly name: string
  held: Call[]
  charged: Charging[]
}

const keyOf = ({ account, id }: AccountName): string => `${account} ${id}`

/** The one account that a process alone would keep: what is in the database less what is held and charged by anybody. */
const freeOf = (site: WorkerSite, workers: readonly Running[], name: AccountName): number => {
  const key = keyOf(name)
  let free = site.balanceOf(name)
  for (const { held, charged } of workers) {
    for (const { payer, amount } of held)
      if (neededAccounts({ ...payer, amount }).some((one) => keyOf(one) === key)) free -= amount
    for (const charge of charged) if (chargedAccounts(charge).some((one) => keyOf(one) === key)) free -= charge.quota
  }
  return free
}

const exactAnswer = (site: WorkerSite, workers: readonly Running[], request: HoldRequest): object => {
  for (const name of neededAccounts(request)) {
    const remain = freeOf(site, workers, name)
    if (remain <= 0 || remain < request.amount) return { kind: 'refused', account: name.account, remain }
  }
  return { kind: 'held' }
}

const shown = (answer: HoldAnswer): object =>
  answer.kind === 'held' ? { kind: 'held' } : { kind: 'refused', account: answer.account, remain: answer.remain }

const turns = async (count: number): Promise<void> => {
  for (let left = count; left > 0; left -= 1) await turn()
}

const step = fc.record({
  worker: fc.nat({ max: 1 }),
  payer: fc.nat({ max: payers.length - 1 }),
  what: fc.constantFrom(
    ...(['hold', 'hold', 'hold', 'hold', 'both', 'settle', 'settle', 'leave', 'commit', 'later'] as const),
    ...(['top up', 'transfer', 'limit', 'order', 'rest', 'die', 'die paying', 'die beside', 'primary dies'] as const),
  ),
  amount: fc.nat({ max: 60 }),
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** A history in which the second worker gives the rest of a lease back while its last call is being refused. */
const returnedMeanwhile: readonly Step[] = [
  { worker: 0, payer: 0, what: 'primary dies', amount: 25 },
  ...Array.from({ length: 5 }, (): Step => ({ worker: 0, payer: 0, what: 'hold', amount: 0 })),
  { worker: 0, payer: 1, what: 'transfer', amount: 13 },
  { worker: 1, payer: 0, what: 'hold', amount: 0 },
  { worker: 0, payer: 0, what: 'commit', amount: 0 },
  { worker: 1, payer: 0, what: 'hold', amount: 9 },
  { worker: 0, payer: 0, what: 'leave', amount: 4 },
  { worker: 0, payer: 0, what: 'die beside', amount: 0 },
]

/** One history on a site of two workers; each answer must be that of the exact account. */
const live = async (start: number, steps: readonly Step[]): Promise<void> => {
  const row = (name: AccountName, balance: number) => ({ ...name, balance, unlimited: false })
  const site = openWorkerSite([
    ...users.map((name) => row(name, start)),
    ...limits.map((name) => row(name, Math.floor(start / 2))),
    { account: 'token', id: 13, balance: 0, unlimited: true },
  ])
  const workers: Running[] = []
  for (const name of ['a', 'b']) workers.push({ worker: await site.openWorker(name), name, held: [], charged: [] })

  const note = (running: Running, payer: Payer, amount: number, answer: HoldAnswer): void => {
    if (answer.kind === 'held') running.held.push({ payer, amount, answer })
  }
  const ask = async (running: Running, payer: Payer, amount: number): Promise<HoldAnswer> =>
    running.worker.accounts.hold({ ...payer, amount })
  const hold = async (running: Running, payer: Payer, amount: number): Promise<void> => {
    const expected = exactAnswer(site, workers, { ...payer, amount })
    const answer = await ask(running, payer, amount)
    expect(shown(answer)).toEqual(expected)
    note(running, payer, amount, answer)
  }
  /** Two calls at the same time: one of both was first. */
  const both = async ([first, second]: readonly [Running, Running], payer: Payer, amount: number): Promise<void> => {
    const more = amount * 2
    const orders = [
      { one: first, other: second, sizes: [amount, more] as const },
      { one: second, other: first, sizes: [more, amount] as const },
    ].map(({ one, other, sizes }) => {
      const early = exactAnswer(site, workers, { ...payer, amount: sizes[0] })
      const trial: Running = { ...one, held: [...one.held] }
      if ('kind' in early && early.kind === 'held')
        trial.held.push({
          payer,
          amount: sizes[0],
          answer: { kind: 'held', hold: { quota: 0, release: () => undefined } },
        })
      const late = exactAnswer(site, [trial, other], { ...payer, amount: sizes[1] })
      return one === first ? [early, late] : [late, early]
    })
    const answers = await Promise.all([ask(first, payer, amount), ask(second, payer, more)])
    const kinds = (list: readonly object[]): unknown[] => list.map((one) => 'kind' in one && one.kind)
    expect(orders.map(kinds)).toContainEqual(kinds(answers))
    note(first, payer, amount, answers[0])
    note(second, payer, more, answers[1])
  }
  const replace = async (running: Running): Promise<void> => {
    running.worker = await site.openWorker(running.name)
    // The records of the journal; their holds were those of the process that is gone.
    running.charged = running.charged.map(({ hold: _, ...charge }) => ({ ...charge, hold: undefined }))
    await running.worker.accounts.leftOver(running.charged)
    running.worker.accounts.started()
    await turns(4)
  }
  const kill = (running: Running): void => {
    running.worker.kill()
    running.held = []
  }
  /** The worker that changed the database reports the change. */
  const told = (running: Running, changes: Parameters<WorkerSite['move']>[0]): void | Promise<void> =>
    running.worker.accounts.committed([], site.move(changes))

  /** A call for what the exact account has free, or for a little more or less, and its answer. */
  const nearlyAll = (payer: number, amount: number) => {
    const asked = payers[payer] ?? expect.fail()
    const most = Math.min(...neededAccounts({ ...asked, amount: 0 }).map((name) => freeOf(site, workers, name)))
    const wanted = Math.max(0, most + 1 - (amount % 3))
    return { asked, wanted, expected: exactAnswer(site, workers, { ...asked, amount: wanted }) }
  }

  const does: Readonly<Record<Step['what'], (running: Running, beside: Running, one: Step) => Promise<void>>> = {
    hold: (running, _, { payer, amount }) => hold(running, payers[payer] ?? expect.fail(), amount),
    both: (running, beside, { payer, amount }) => both([running, beside], payers[payer] ?? expect.fail(), amount),
    /** All that is free, which the other may have leased. */
    async rest(running, _, { payer }) {
      const asked = payers[payer] ?? expect.fail()
      const most = Math.min(...neededAccounts({ ...asked, amount: 0 }).map((name) => freeOf(site, workers, name)))
      await hold(running, asked, Math.max(0, most + 1))
      await hold(running, asked, Math.max(0, most))
    },
    async settle(running, _, { amount }) {
      const call = running.held.pop()
      if (call === undefined) return
      // A charge may be more than its hold: the call was longer than it seemed.
      const quota = amount % 5 === 0 ? call.amount + amount : Math.min(call.amount, amount)
      const { userId, tokenId, caps } = call.payer
      const charge: Charging = {
        userId,
        tokenId,
        quota,
        hold: call.answer.hold,
        ...(caps && { caps: caps.map(({ id }) => id) }),
      }
      running.worker.accounts.charging(charge)
      running.charged.push(charge)
      // Others learn of what is more than the hold by a message.
      if (quota > call.amount) await turns(2)
    },
    async leave(running) {
      running.held.pop()?.answer.hold.release()
    },
    async commit(running) {
      const records = running.charged.splice(0)
      const changes = new Map<string, { account: AccountName['account']; id: number; by: number }>()
      for (const record of records)
        for (const name of chargedAccounts(record)) {
          const change = changes.get(keyOf(name)) ?? { ...name, by: 0 }
          changes.set(keyOf(name), { ...change, by: change.by - record.quota })
        }
      await running.worker.accounts.committed(records, site.move([...changes.values()]))
    },
    /** Leases are asked for again, or have been idle for so long that they go back. */
    async later(_, __, { amount }) {
      vi.advanceTimersByTime(amount % 4 === 0 ? 70_000 : 1_100)
      await turns(4)
    },
    'top up': async (running, _, { payer, amount }) =>
      told(running, [{ account: 'user', id: (payer % 2) + 1, by: amount * 20 }]),
    async transfer(running, _, { payer, amount }) {
      const [from, to] = payer % 2 === 0 ? users : users.toReversed()
      if (from === undefined || to === undefined) return
      const wanted = amount * 5
      const free = freeOf(site, workers, from)
      const answer = await running.worker.accounts.reserve(from, wanted)
      expect(answer.kind).toBe(free > 0 && free >= wanted ? 'held' : 'refused')
      if (answer.kind !== 'held') return
      const moved = site.move([
        { ...from, by: -wanted },
        { ...to, by: wanted },
      ])
      await running.worker.accounts.committed([{ hold: answer.hold }], moved)
    },
    /** The limit of a key or a cap is changed while calls use it. */
    limit: async (running, _, { payer, amount }) =>
      told(running, [{ ...(limits[payer % limits.length] ?? expect.fail()), by: (amount - 30) * 10 }]),
    /** An operator takes from a user without asking what is free. */
    order: async (running, _, { payer, amount }) =>
      told(running, [{ account: 'user', id: (payer % 2) + 1, by: -amount * 10 }]),
    async die(running) {
      kill(running)
      await replace(running)
    },
    /** Commits a transfer of which no store is notified. */
    async 'die paying'(running, _, { payer, amount }) {
      const from = users[payer % 2] ?? expect.fail()
      const answer = await running.worker.accounts.reserve(from, amount)
      if (answer.kind === 'held') site.move([{ ...from, by: -amount }])
      kill(running)
      await replace(running)
    },
    /** A call on the other worker comes before the replacement has read the journal. */
    async 'die beside'(running, beside, { payer, amount }) {
      kill(running)
      const { asked, wanted, expected } = nearlyAll(payer, amount)
      const answer = ask(beside, asked, wanted)
      await turns(amount)
      await replace(running)
      expect(shown(await answer)).toEqual(expected)
      note(beside, asked, wanted, await answer)
    },
    /** The first call comes when one worker is there again and the other has not read its journal. */
    async 'primary dies'(_, __, { payer, amount }) {
      for (const one of workers) kill(one)
      site.replacePrimary(['b'])
      const [first, second] = workers
      if (first === undefined || second === undefined) return
      await replace(first)
      const { asked, wanted, expected } = nearlyAll(payer, amount)
      const answer = ask(first, asked, wanted)
      await turns(amount)
      await replace(second)
      expect(shown(await answer)).toEqual(expected)
      note(first, asked, wanted, await answer)
    },
  }

  for (const one of steps) {
    const [running, beside] = one.worker === 0 ? workers : workers.toReversed()
    if (running === undefined || beside === undefined) return
    await does[one.what](running, beside, one)
    if (one.amount % 3 === 0) await turn()
  }
  for (const { worker } of workers) await worker.accounts.close()
}

describe('two workers that lease parts of balances', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] }))
  afterEach(() => vi.useRealTimers())

  it('answer every call as one exact account does, whoever asks, charges, moves, limits or dies', async () => {
    const steps = fc.array(step, { minLength: 20, maxLength: 100 })
    await fc.assert(fc.asyncProperty(fc.constantFrom(200, 4_000, 40_000), steps, live), {
      numRuns: 150,
      examples: [[200, returnedMeanwhile]],
    })
  })
})
