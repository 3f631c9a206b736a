import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type PaidOut, type RecordedHold, type Shortfall, WalletAudit, type WalletEntry } from './paid-out.ts'

const toleranceMs = 1000
const opening = 1000

interface Step {
  /** Which of two nodes does it; their clocks differ by the tolerance. */
  readonly node: number
  readonly what: 'begin' | 'end' | 'settle' | 'book' | 'fail' | 'hold' | 'commit' | 'set' | 'top up'
  readonly amount: number
  /** Tenths of a hold that its call costs. */
  readonly part: number
  readonly overdraft: number
  readonly waitMs: number
  /** How long the answer of a hold takes. */
  readonly answerMs: number
}

interface Call {
  readonly quota: number
  readonly from: number
  pending: number
  ended: { readonly to: number; readonly charge: number } | undefined
  settled: boolean
}

/** A wallet whose every movement out takes only what is free, and the entries that come of it. */
const openWallet = () => {
  const entries: WalletEntry[] = [{ entry: 1, amount: opening, kind: 'other', until: 0 }]
  const paidOut: PaidOut[] = []
  const calls: Call[] = []
  const leaving: { amount: number; from: number; to: number }[] = []
  let time = 100_000
  let booked = opening
  const free = (): number =>
    booked - [...calls.map(({ pending }) => pending), ...leaving.map(({ amount }) => amount)].reduce((a, b) => a + b, 0)
  const write = (amount: number, kind: WalletEntry['kind'], at: number, call?: RecordedHold): void => {
    booked += amount
    const until = Math.floor(at / 1000) * 1000 + 999
    entries.push({ entry: entries.length + 1, amount, kind, until, ...(call && { call }) })
  }
  const one = <T>(list: readonly T[], amount: number): T | undefined => list[amount % Math.max(1, list.length)]
  const remove = <T>(list: T[], item: T): void => void list.splice(list.indexOf(item), 1)

  const steps: Record<Step['what'], (step: Step, clock: number) => void> = {
    begin({ amount, overdraft, answerMs }, clock) {
      if (free() <= 0 || free() + overdraft < amount) return
      calls.push({ quota: amount, from: clock + answerMs, pending: amount, ended: undefined, settled: false })
    },
    end({ amount, part }, clock) {
      const call = one(
        calls.filter(({ ended }) => ended === undefined),
        amount,
      )
      if (call) call.ended = { to: Math.max(clock, call.from), charge: Math.floor((call.quota * part) / 10) }
    },
    settle() {
      for (const call of calls) {
        if (call.ended === undefined) continue
        call.pending = call.ended.charge
        call.settled = true
      }
    },
    book({ amount }) {
      const call = one(
        calls.filter(({ settled }) => settled),
        amount,
      )
      if (call?.ended === undefined) return
      remove(calls, call)
      const { to, charge } = call.ended
      write(0 - charge, 'call', to, { quota: call.quota, from: call.from, to })
    },
    fail({ amount }) {
      const call = one(
        calls.filter(({ ended }) => ended === undefined),
        amount,
      )
      if (call) remove(calls, call)
    },
    hold({ amount, answerMs }, clock) {
      if (free() >= amount) leaving.push({ amount, from: clock - answerMs, to: clock + answerMs })
    },
    commit({ amount }) {
      const out = one(leaving, amount)
      if (out === undefined) return
      remove(leaving, out)
      if (booked < out.amount) return
      write(0 - out.amount, 'held', out.from)
      paidOut.push({ entry: entries.length, movement: `out ${entries.length}`, from: out.from, to: out.to })
    },
    set({ amount }, clock) {
      write(amount - booked, 'other', clock)
    },
    'top up'({ amount }, clock) {
      write(amount, 'other', clock)
    },
  }
  return {
    entries,
    paidOut,
    take(step: Step): void {
      time += step.waitMs
      // A clock read at the end of a call counts its charge before this long.
      const overdue = calls.some(({ ended, settled }) => ended !== undefined && !settled && ended.to < time - 500)
      if (overdue) steps.settle(step, time)
      steps[step.what](step, time + (step.node === 0 ? 0 : toleranceMs / 2))
    },
    finish(): void {
      for (const what of ['end', 'settle', 'book'] as const)
        for (let left = 100; left > 0; left -= 1)
          steps[what]({ node: 0, what, amount: left, part: 10, overdraft: 0, waitMs: 0, answerMs: 0 }, time)
    },
  }
}

const audited = (paidOut: readonly PaidOut[], entries: readonly WalletEntry[]): Shortfall[] => {
  const audit = new WalletAudit(paidOut, toleranceMs)
  for (const entry of entries) audit.add(entry)
  return audit.shortfalls()
}

describe('the audit of a wallet', () => {
  it('finds nothing where every movement took what was free, however its commit was delayed', () => {
    const step: fc.Arbitrary<Step> = fc.record({
      node: fc.nat({ max: 1 }),
      what: fc.constantFrom(
        ...(['begin', 'begin', 'begin', 'end', 'settle', 'book', 'fail', 'hold', 'hold', 'commit', 'commit'] as const),
        ...(['set', 'top up'] as const),
      ),
      amount: fc.nat({ max: 400 }),
      part: fc.nat({ max: 30 }),
      overdraft: fc.constantFrom(0, 0, 300),
      waitMs: fc.constantFrom(0, 1, 400, 1500, 5000),
      answerMs: fc.constantFrom(0, 0, 30, 900),
    })
    let judged = 0
    fc.assert(
      fc.property(fc.array(step, { minLength: 5, maxLength: 60 }), (planned) => {
        const wallet = openWallet()
        for (const one of planned) wallet.take(one)
        wallet.finish()
        expect(audited(wallet.paidOut, wallet.entries)).toEqual([])
        // The same wallet where everything is taken unseen is found as soon as there is something to find.
        const robbed = wallet.entries.map((entry) => (entry.entry === 1 ? { ...entry, amount: -100_000 } : entry))
        judged += audited(wallet.paidOut, robbed).length
      }),
      { numRuns: 3000 },
    )
    expect(judged).toBeGreaterThan(100)
  })

  const out: PaidOut = { entry: 2, movement: 'out', from: 100_000, to: 100_010 }
  const call = (more: Partial<RecordedHold> = {}): RecordedHold => ({ quota: 700, from: 50_000, to: 150_000, ...more })
  const charge = (entry: number, amount: number, held: RecordedHold): WalletEntry => ({
    entry,
    amount: 0 - amount,
    kind: 'call',
    until: held.to,
    call: held,
  })
  const taken: readonly WalletEntry[] = [
    { entry: 1, amount: 1000, kind: 'other', until: 0 },
    { entry: 2, amount: -600, kind: 'held', until: 100_999 },
  ]

  it.each([
    ['what a call under way held', charge(3, 1, call()), 700],
    ['what an ended call was charged before it was booked', charge(3, 500, call({ to: 90_000 })), 500],
    ['no more than it held, where it cost more', charge(3, 900, call({ to: 90_000 })), 700],
    [
      'the charge of an earlier version',
      { entry: 3, amount: -500, kind: 'call', until: 90_999, isFinal: true } as const,
      500,
    ],
  ])('counts %s', (_, booked, needed) => {
    expect(audited([out], [...taken, booked])).toEqual([{ movement: 'out', left: 400, needed }])
  })

  it.each([
    ['began about then', charge(3, 700, call({ from: 99_500 }))],
    ['began afterwards', charge(3, 700, call({ from: 120_000 }))],
    ['is estimated and says nothing', { entry: 3, amount: -700, kind: 'call', until: 90_999 } as const],
    ['nobody knows the hold of', charge(3, 700, call({ quota: 0 }))],
  ])('counts no call that %s', (_, booked) => {
    expect(audited([out], [...taken, booked])).toEqual([])
  })

  it('counts nothing that a call had freed before a movement took it that was held later and committed earlier', () => {
    const held = { entry: 3, movement: 'held first', from: 100_000, to: 100_000 }
    const quicker = { entry: 2, movement: 'committed first', from: 110_000, to: 110_000 }
    const freed = charge(4, 0, call({ quota: 500, to: 105_000 }))
    const entries = (from: number): WalletEntry[] => [
      { entry: 1, amount: 1000, kind: 'other', until: 0 },
      { entry: 2, amount: -400, kind: 'held', until: from + 999 },
      { entry: 3, amount: -300, kind: 'held', until: 100_999 },
      freed,
    ]
    expect(audited([quicker, held], entries(110_000))).toEqual([])
    // One that was held before the other left it less than the call had.
    const earlier = { ...quicker, from: 90_000, to: 90_000 }
    expect(audited([earlier, held], entries(90_000))).toEqual([{ movement: 'held first', left: 300, needed: 500 }])
  })
})
