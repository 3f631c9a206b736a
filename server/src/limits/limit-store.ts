/** A process's report and request for one counter. Amounts are in units of the limit. */
export interface CounterExchange {
  /** Name of the counter: the limit and the values whose calls it counts. */
  readonly counter: string
  /** The most that may be used. */
  readonly most: number
  /** Milliseconds since 1970: pieces that begin earlier do not count. */
  readonly since: number
  /** Total use of this process in each piece: a repeat changes nothing. */
  readonly used: readonly UsedPiece[]
  /** Amount that running calls have reserved, this one included. */
  readonly reserved: number
  /** Additional amount for calls without a request. */
  readonly spare: number
  /** Use of other processes in the database; absent if it was not read. */
  readonly stored?: readonly StoredUse[]
  /** Milliseconds after which the counter expires. */
  readonly keepMs: number
}

/** Beginning of a piece, and what was used in it. */
export type UsedPiece = readonly [at: number, used: number]
export type StoredUse = readonly [node: string, at: number, used: number]

/** Lease of a process. */
export interface Lease {
  /** Beyond what it has used: reserved and spare together. */
  readonly granted: number
  /** Rest for all processes after that. */
  readonly left: number
  /** Use of all others. */
  readonly others: number
  /** Processes that count there, this one included. */
  readonly nodes: number
  /** True where the store did not have the counter: the sums of the database must be sent. */
  readonly isNew: boolean
}

/**
 * Store that processes share. Rejects while it is out of reach. `now` is the clock of the requesting process; a store of several
 * machines has a time of its own.
 */
export interface LimitStore {
  exchange(
    node: string,
    now: number,
    exchanges: readonly CounterExchange[],
  ): readonly Lease[] | Promise<readonly Lease[]>
  /** Announces a process, and reads the state of the store. Absent where it loses nothing. */
  look?(node: string): Promise<StoreState>
}

export interface StoreState {
  /** True if it has lost its data since the last look: then everything must be sent again. */
  readonly wasEmptied: boolean
  /** Recent processes, this one included. */
  readonly nodes: number
}

interface NodeShare {
  readonly used: Map<number, number>
  /** Reserved and spare. */
  granted: number
  seen: number
}

interface SharedCounter {
  readonly nodes: Map<string, NodeShare>
  keepUntil: number
}

/** Milliseconds of silence after which a process counts as ended: its leases are free again. */
export const lapseMs = 15_000
const sweepEvery = 10_000

const shareOf = (counter: SharedCounter, node: string): NodeShare => {
  const known = counter.nodes.get(node)
  if (known !== undefined) return known
  const fresh: NodeShare = { used: new Map(), granted: 0, seen: 0 }
  counter.nodes.set(node, fresh)
  return fresh
}

/** Use of a process in the window; earlier pieces are dropped. */
const usedSince = ({ used }: NodeShare, since: number): number => {
  let sum = 0
  for (const [at, amount] of used) {
    if (at < since) used.delete(at)
    else sum += amount
  }
  return sum
}

/** Half of the rest goes to the process that asks, divided among those that may ask: the last calls come one by one. */
export const spareOf = (left: number, wanted: number, nodes: number): number =>
  nodes === 1 ? Math.min(left, wanted) : Math.min(wanted, Math.floor(left / (2 * nodes)))

/** Counters of processes that ask this one: of a process alone, or of the workers of a node. */
export const openMemoryLimitStore = (): LimitStore => {
  const counters = new Map<string, SharedCounter>()
  let asked = 0

  const sweep = (now: number): void => {
    for (const [name, { keepUntil }] of counters) if (keepUntil < now) counters.delete(name)
  }

  const one = (node: string, now: number, exchange: CounterExchange): Lease => {
    const { counter: name, most, since, used, reserved, spare, stored, keepMs } = exchange
    const known = counters.get(name)
    const counter = known ?? { nodes: new Map<string, NodeShare>(), keepUntil: 0 }
    if (known === undefined) counters.set(name, counter)
    counter.keepUntil = now + keepMs
    for (const [other, at, amount] of stored ?? []) {
      const share = shareOf(counter, other)
      share.used.set(at, Math.max(share.used.get(at) ?? 0, amount))
    }
    const mine = shareOf(counter, node)
    // The report is complete: missing pieces no longer count, such as future ones of a clock that was set back.
    mine.used.clear()
    for (const [at, amount] of used) mine.used.set(at, amount)
    mine.seen = now
    mine.granted = 0
    let [others, granted, nodes] = [0, 0, 0]
    for (const [other, share] of counter.nodes) {
      const isAlive = share.seen + lapseMs > now
      const sum = usedSince(share, since)
      if (isAlive) nodes += 1
      if (other !== node) {
        others += sum
        if (isAlive) granted += share.granted
        else if (sum === 0) counter.nodes.delete(other)
      }
    }
    const left = Math.max(0, most - others - granted - usedSince(mine, since))
    const held = Math.min(left, reserved)
    mine.granted = held + spareOf(left - held, spare, nodes)
    return { granted: mine.granted, left: left - mine.granted, others, nodes, isNew: known === undefined && !stored }
  }

  return {
    exchange(node, now, exchanges) {
      asked += exchanges.length
      if (asked > sweepEvery) {
        asked = 0
        sweep(now)
      }
      return exchanges.map((exchange) => one(node, now, exchange))
    },
  }
}
