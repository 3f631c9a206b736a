import type { Clock } from '../lib/clock.ts'
import type { CallNeed } from './call-limits.ts'
import type { Counter } from './counter.ts'
import type { CounterExchange, Lease, UsedPiece } from './limit-store.ts'
import type { LeaseParts } from './limiter-parts.ts'

export interface Leases {
  /** Requests the need of a call for each counter. undefined where that is synchronous. Never rejects. */
  ask(counters: readonly Counter[], need: CallNeed): Promise<void> | undefined
  /** Returns unused leases, renews used ones in advance, and writes counts. Never rejects. */
  renew(): Promise<void>
  /** True while the store is out of reach. */
  readonly isAway: boolean
}

/** Lease of a single process: the whole rest. */
const everything = Number.MAX_SAFE_INTEGER
/** Counters in one message. */
const mostAtOnce = 200
/** Factor of the leases requested in advance, relative to the use between two renewals. */
const ahead = 3

/** Milliseconds for which the largest number of processes is remembered. */
const rememberedMs = 60_000

/** Number of processes that counted lately, also for counters that are new here. */
const openNodeCount = (clock: Clock) => {
  let [since, before, present] = [0, 1, 1]
  const turn = (): void => {
    const now = clock()
    if (now - since < rememberedMs) return
    before = now - since < 2 * rememberedMs ? present : 1
    present = 1
    since = now
  }
  return {
    note(nodes: number): void {
      turn()
      present = Math.max(present, nodes)
    },
    /** The most of the last minute; of the time before the store was lost, while it is. */
    most: (): number => Math.max(before, present),
  }
}

/** Leases of the counters that `all` names, from a store that others may share; the clock is to call `renew` twice a second. */
export const openLeases = (parts: LeaseParts, all: () => Iterable<Counter>): Leases => {
  const { store, isShared, node, counts, warn } = parts
  const clock: Clock = parts.clock
  let awaySince: number | undefined
  const nodes = openNodeCount(clock)

  const away = (error: unknown): void => {
    if (awaySince !== undefined) return
    warn('limits_alone', { error })
    awaySince = clock()
  }

  const share = (counters: readonly Counter[]): void => {
    for (const counter of counters) counter.share(nodes.most(), clock() - (awaySince ?? clock()))
  }

  const spareOf = (counter: Counter): number => {
    if (!isShared) return everything
    return counter.recent * ahead
  }

  interface Asked {
    readonly counter: Counter
    readonly exchange: CounterExchange
    readonly own: number
  }

  const asked = (counter: Counter): Asked => ({
    counter,
    own: counter.usedHere,
    exchange: counter.exchange(spareOf(counter), clock()),
  })

  const take = (questions: readonly Asked[], leases: readonly Lease[]): readonly Counter[] => {
    awaySince = undefined
    const unknown: Counter[] = []
    for (const [index, { counter, exchange, own }] of questions.entries()) {
      const lease = leases[index]
      if (lease === undefined) continue
      if (lease.isNew && counter.compiled.window.lasts && exchange.stored === undefined && isShared) {
        unknown.push(counter)
        continue
      }
      counter.stored = undefined
      nodes.note(lease.nodes)
      counter.grant(lease, exchange, own)
    }
    return unknown
  }

  const load = async (counter: Counter): Promise<void> => {
    const { limit, window } = counter.compiled
    const rows = await counts.read(limit.id, counter.digest, window.since(clock()))
    counter.load(rows.filter(([other]) => other !== node))
  }

  const needsLoading = ({ isLoaded, compiled }: Counter): boolean => !isLoaded && compiled.window.lasts

  /** Repeats the exchange with sums of the database, for counters that the store does not have. */
  const exchange = async (counters: readonly Counter[]): Promise<void> => {
    await Promise.all(counters.filter(needsLoading).map(load))
    const questions = counters.map(asked)
    const unknown = take(
      questions,
      await store.exchange(
        node,
        clock(),
        questions.map((each) => each.exchange),
      ),
    )
    if (unknown.length === 0) return
    await Promise.all(unknown.map(load))
    const again = unknown.map(asked)
    take(
      again,
      await store.exchange(
        node,
        clock(),
        again.map((each) => each.exchange),
      ),
    )
  }

  const exchangeOrShare = async (counters: readonly Counter[], probes: boolean): Promise<void> => {
    try {
      // While the store is out of reach, calls do not wait for it: the clock tries again.
      if (awaySince !== undefined && !probes) {
        await Promise.all(counters.filter(needsLoading).map(load))
        share(counters)
      } else await exchange(counters)
    } catch (error) {
      away(error)
      share(counters)
    }
  }

  const begin = (counters: readonly Counter[], probes = false): Promise<void> => {
    const asking = exchangeOrShare(counters, probes).finally(() => {
      for (const counter of counters) counter.asking = undefined
    })
    for (const counter of counters) counter.asking = asking
    return asking
  }

  const askLater = async (counters: readonly Counter[], need: CallNeed): Promise<void> => {
    const wanted = counters.map(({ compiled }) => compiled.amounts.reserved(need))
    for (const [index, counter] of counters.entries()) counter.waiting += wanted[index] ?? 0
    try {
      // Pending requests do not include this call.
      await Promise.all(counters.map(({ asking }) => asking))
      const free = counters.filter(({ asking }) => asking === undefined)
      await Promise.all([begin(free), ...counters.map(({ asking }) => asking)])
    } finally {
      for (const [index, counter] of counters.entries()) counter.waiting -= wanted[index] ?? 0
    }
  }

  /** Without a wait; false where something has to be waited for. */
  const askNow = (counters: readonly Counter[], need: CallNeed): boolean => {
    if (isShared || counters.some(needsLoading) || counters.some(({ asking }) => asking !== undefined)) return false
    for (const counter of counters) counter.waiting += counter.compiled.amounts.reserved(need)
    const questions = counters.map(asked)
    for (const counter of counters) counter.waiting -= counter.compiled.amounts.reserved(need)
    const leases = store.exchange(
      node,
      clock(),
      questions.map((each) => each.exchange),
    )
    if (leases instanceof Promise) return false
    take(questions, leases)
    return true
  }

  const writeCounts = async (): Promise<void> => {
    const taken: { readonly counter: Counter; readonly rows: readonly UsedPiece[] }[] = []
    for (const counter of all()) {
      const rows = counter.takeUnsaved()
      if (rows.length > 0) taken.push({ counter, rows })
    }
    if (taken.length === 0) return
    try {
      await counts.write(
        taken.flatMap(({ counter, rows }) =>
          rows.map(([at, used]) => ({ limitId: counter.compiled.limit.id, digest: counter.digest, at, used })),
        ),
      )
    } catch (error) {
      for (const { counter, rows } of taken) counter.giveBackUnsaved(rows)
      warn('limit_counts_not_written', { error })
    }
  }

  /** A store that was emptied must learn what this process has used. */
  const lookForLoss = async (): Promise<void> => {
    try {
      const state = await store.look?.(node)
      if (state === undefined) return
      nodes.note(state.nodes)
      if (state.wasEmptied) for (const counter of all()) counter.sayAgain()
    } catch (error) {
      away(error)
    }
  }

  const renewShared = async (): Promise<void> => {
    await lookForLoss()
    const due: Counter[] = []
    for (const counter of all()) {
      if (counter.asking === undefined && (awaySince !== undefined || counter.isDue)) due.push(counter)
    }
    for (let from = 0; from < due.length; from += mostAtOnce) {
      const some = due.slice(from, from + mostAtOnce).filter(({ asking }) => asking === undefined)
      await begin(some, true)
      for (const counter of some) counter.recent = 0
    }
  }

  return {
    get isAway() {
      return awaySince !== undefined
    },

    ask(counters, need) {
      if (counters.length === 0 || askNow(counters, need)) return undefined
      return askLater(counters, need)
    },

    async renew() {
      if (isShared) await renewShared()
      await writeCounts()
    },
  }
}
