/** A movement out of a wallet, as its entry has it. Times are milliseconds since 1970. */
export interface PaidOut {
  /** The number of its entry. Entries of one wallet are numbered in the order of their commits. */
  readonly entry: number
  readonly movement: string
  /** Between these times its amount was held, so all that calls held before `from` counted. */
  readonly from: number
  readonly to: number
}

/** Hold of a call from its beginning to its end. */
export interface RecordedHold {
  readonly quota: number
  readonly from: number
  readonly to: number
}

/** An entry of a wallet in the order of the commits. */
export interface WalletEntry {
  readonly entry: number
  /** Signed quota units. */
  readonly amount: number
  /**
   * `call`: a charge. `held`: a movement whose amount was held first, so that it took only what was free. `other`: one that may take what
   * calls hold, such as a balance that an operator sets or a correction; everything that gives.
   */
  readonly kind: 'call' | 'held' | 'other'
  /** The end of the second that it is dated, for a call the second of its end. */
  readonly until: number
  /** Absent for charges of earlier versions. */
  readonly call?: RecordedHold
  /** True for a charge of an earlier version of which it is known that it was made when its call had ended. */
  readonly isFinal?: boolean
}

/** A movement that left less in the wallet than calls needed. */
export interface Shortfall {
  readonly movement: string
  readonly left: number
  readonly needed: number
}

interface Counted {
  left: number
  /** Amount that may have left between the hold of the movement and its commit without having been free. */
  excused: number
  needed: number
}

/**
 * Compares what each movement out of a wallet left with what calls had pending when it was held. Entries are added in the order of their
 * commits, each once. It never counts more than was pending for certain:
 *
 * - of a call that began before and ended after, what it held from its beginning;
 * - of one that ended about then, that or its charge, whichever is less; it was booked after the movement, so one of both was pending;
 * - of one from an earlier version, its charge, where it had ended before.
 *
 * Calls that cost more than they held, overdrafts and balances that are set may take what is held, and a movement that was held later and
 * committed earlier takes what calls have freed in between. Where that may have happened between the hold of the movement and its commit, it
 * is excused.
 */
export class WalletAudit {
  private readonly movements: readonly PaidOut[]
  private readonly counted: readonly Counted[]
  /** The latest `from` of a movement and those before it, and the earliest of it and those after it: they end the search. */
  private readonly latestBefore: readonly number[]
  private readonly earliestAfter: readonly number[]
  private readonly tolerance: number
  private balance = 0
  /** How many movements have come. */
  private passed = 0

  /** `movements` in the order of their entries; clocks may differ by `toleranceMs`. */
  constructor(movements: readonly PaidOut[], toleranceMs: number) {
    this.movements = movements
    this.tolerance = toleranceMs
    this.counted = movements.map(() => ({ left: 0, excused: 0, needed: 0 }))
    this.latestBefore = running(movements, Math.max)
    this.earliestAfter = running(movements.toReversed(), Math.min).toReversed()
  }

  add(entry: WalletEntry): void {
    this.balance += entry.amount
    const movement = this.movements[this.passed]
    if (movement?.entry === entry.entry) {
      const counted = this.counted[this.passed]
      if (counted !== undefined) counted.left = this.balance
      this.passed += 1
      this.excuseEarlier(movement, entry)
    }
    if (entry.kind === 'held' || entry.amount > 0) return
    this.excuse(entry)
    if (entry.kind === 'call') this.need(entry)
  }

  /** Shortfalls in the order of the entries; called when all of them were added. */
  shortfalls(): Shortfall[] {
    return this.movements.flatMap(({ movement }, index) => {
      const { left, excused, needed } = this.counted[index] ?? { left: 0, excused: 0, needed: 0 }
      return needed > 0 && needed > left + excused ? [{ movement, left, needed }] : []
    })
  }

  /** For movements that are committed later, but were perhaps held before this one took what calls had freed since then. */
  private excuseEarlier({ to }: PaidOut, { amount }: WalletEntry): void {
    for (let index = this.passed; index < this.movements.length; index += 1) {
      if ((this.earliestAfter[index] ?? Infinity) > to + this.tolerance) return
      const { from } = this.movements[index] ?? { from: Infinity }
      const counted = this.counted[index]
      if (counted !== undefined && from <= to + this.tolerance) counted.excused += Math.max(0, 0 - amount)
    }
  }

  /** For movements that come later, but were perhaps held before this was. */
  private excuse({ amount, until, call }: WalletEntry): void {
    const end = call?.to ?? until
    for (let index = this.passed; index < this.movements.length; index += 1) {
      if ((this.earliestAfter[index] ?? Infinity) > end + this.tolerance) return
      const { from } = this.movements[index] ?? { from: Infinity }
      if (from > end + this.tolerance) continue
      const wasHeld = call !== undefined && this.isBefore(call.from, from)
      const counted = this.counted[index]
      if (counted !== undefined) counted.excused += Math.max(0, 0 - amount - (wasHeld ? call.quota : 0))
    }
  }

  /** For movements that came before this was booked. */
  private need({ amount, until, call, isFinal }: WalletEntry): void {
    if (call === undefined && isFinal !== true) return
    const charge = 0 - amount
    const begin = call?.from ?? until
    for (let index = this.passed - 1; index >= 0; index -= 1) {
      if (!this.isBefore(begin, this.latestBefore[index] ?? -Infinity)) return
      const { from, to } = this.movements[index] ?? { from: -Infinity, to: -Infinity }
      if (!this.isBefore(begin, from)) continue
      const isUnderWay = call !== undefined && this.isBefore(to, call.to)
      const counted = this.counted[index]
      if (counted !== undefined)
        counted.needed += call === undefined ? charge : isUnderWay ? call.quota : Math.min(call.quota, charge)
    }
  }

  private isBefore(time: number, later: number): boolean {
    return time + this.tolerance < later
  }
}

const running = (movements: readonly PaidOut[], worse: (a: number, b: number) => number): number[] => {
  let extreme: number | undefined
  return movements.map(({ from }) => {
    extreme = extreme === undefined ? from : worse(extreme, from)
    return extreme
  })
}
