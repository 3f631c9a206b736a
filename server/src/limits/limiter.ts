import type { Limit } from '@tollgate/contract'
import type { CallLimits, CallNeed, ChannelLimits, LimitEntry, LimitedCall } from './call-limits.ts'
import { type CompiledLimit, compiledLimit, isWholeSubject, subjectOf } from './compiled-limit.ts'
import { type CallCounters, CountedCall, refusalOf } from './counted-call.ts'
import { Counter } from './counter.ts'
import { openInventedValues } from './invented-values.ts'
import { openLeases } from './leases.ts'
import { LimitSet } from './limit-set.ts'
import type { LimiterParts } from './limiter-parts.ts'

export interface Limiter extends CallLimits {
  /** Sets the enabled limits. Existing counts continue where they still apply. */
  setLimits(limits: readonly Limit[]): void
  /** Counters that count for such calls now, and those that this process knows of their key or user in pairs. */
  countersOf(call: LimitedCall): Promise<readonly Counter[]>
  /** Counters of a limit that this process knows, and the one of a limit that names all of its subjects. */
  countersOfLimit(id: number): Promise<readonly Counter[]>
  /** Counters of this process with a due notice of their level. */
  telling(): readonly Counter[]
  /** Counters of this process that watch for an unusual pace. */
  watched(): readonly Counter[]
  /** Renews leases and writes counts down; runs by the clock, and once at the end. */
  renew(): Promise<void>
}

/** Most requests of a call that waits for a lease. */
const mostRounds = 4
/** Counters that are loaded to be displayed. */
const mostAskedForView = 200
const nothing: CallNeed = { input: 0, output: 0, money: 0 }
/** Milliseconds in which calls are refused as the last one was. */
const refusedMs = 100

/** Counts calls against limits: in memory on a single process, by leases on several. */
export const openLimiter = (parts: LimiterParts): Limiter => {
  const { clock } = parts
  let limits: readonly CompiledLimit[] = []
  let counters = new Map<string, Counter>()
  const leases = openLeases(parts, () => counters.values())

  const invented = openInventedValues()

  const counterOf = (compiled: CompiledLimit, values: readonly string[]): Counter => {
    const fresh = new Counter(compiled, values)
    const before = counters.get(fresh.name)
    if (before !== undefined) return before
    const bounded = invented.bounded(compiled, values)
    if (bounded !== values) return counterOf(compiled, bounded)
    counters.set(fresh.name, fresh)
    return fresh
  }

  const ofCalls = new LimitSet(counterOf)
  const ofChannels = new LimitSet(counterOf)

  const fitting = ({ all, own }: CallCounters, call: LimitedCall, need: CallNeed, now: number): boolean => {
    const hasFallenBack = call.fallback !== undefined
    for (let index = 0; index < all.length; index += 1) {
      const counter = all[index]
      if (counter?.fits(counter.compiled.amounts.reserved(need), now, hasFallenBack && index < own) === false)
        return false
    }
    return true
  }

  const lacking = ({ all, own }: CallCounters, call: LimitedCall, need: CallNeed, now: number): readonly Counter[] =>
    all.filter(
      (counter, index) =>
        !counter.fits(counter.compiled.amounts.reserved(need), now, call.fallback !== undefined && index < own),
    )

  /** True if a refused call may ask the store again. A clock that was set back must not block it. */
  const mayAsk = ({ refusedAt }: Counter): boolean => !parts.isShared || Math.abs(clock() - refusedAt) >= refusedMs

  const refuse = (full: readonly Counter[], called: CallCounters, call: LimitedCall, need: CallNeed): never => {
    throw refusalOf(full, called, { call, need, now: clock(), amountText: parts.amountText })
  }

  /**
   * Remembers refusals of the store. A refusal from this memory does not count as one: otherwise frequent calls would prevent any
   * further request.
   */
  const remember = (full: readonly Counter[], asked: readonly Counter[]): void => {
    const now = clock()
    for (const counter of full) if (asked.includes(counter)) counter.refusedAt = now
  }

  const enterLate = async (called: CallCounters, call: LimitedCall, bound: CallNeed): Promise<LimitEntry> => {
    let need = bound
    for (let round = 0; round < mostRounds; round += 1) {
      const short = lacking(called, call, need, clock())
      if (short.length === 0) return new CountedCall(called, need, clock)
      const asked = short.filter(mayAsk)
      const asking = leases.ask(asked, need)
      if (asking !== undefined) await asking
      const still = lacking(called, call, need, clock()).filter((counter) => short.includes(counter))
      // A window that began meanwhile has no lease yet.
      if (still.length === 0 || still.some(({ isReady }) => !isReady)) continue
      if (need.counted === undefined || !still.some((counter) => countsInput(counter))) {
        remember(still, asked)
        return refuse(still, called, call, need)
      }
      need = await need.counted()
    }
    const left = lacking(called, call, need, clock())
    if (left.length === 0) return new CountedCall(called, need, clock)
    return refuse(left, called, call, need)
  }

  const forgetIdle = (): void => {
    // Leases of others are unknown then: a new counter would grant them again.
    if (leases.isAway) return
    const now = clock()
    let forgot = false
    for (const [name, counter] of counters) {
      if (!counter.isIdle(now) || (parts.isShared && counter.spare > 0)) continue
      counters.delete(name)
      invented.forget(counter)
      forgot = true
    }
    if (forgot) forgetKnown()
  }

  const forgetKnown = (): void => {
    ofCalls.forget()
    ofChannels.forget()
  }

  /** Loads the counters of this window if they were not loaded yet. */
  const ready = async (all: readonly Counter[]): Promise<void> => {
    await leases.ask(
      all.filter((counter) => !counter.fits(0, clock())),
      nothing,
    )
  }

  const countersIn = (set: LimitSet, call: LimitedCall): CallCounters | undefined => {
    const own = set.countersOfAsked(call)
    const named = set.countersOfNamed(call)
    // The model that answers may be another one, which is limited.
    if (own.length + named.length === 0 && !set.countsModels) return undefined
    const ofUse: CallCounters['ofUse'] = (use) => set.countersOfUse(call, use)
    return { all: named.length === 0 ? own : [...own, ...named], own: own.length, ofUse }
  }

  const enter = (set: LimitSet, call: LimitedCall, need: CallNeed): ReturnType<CallLimits['enter']> => {
    if (set.isEmpty) return undefined
    const called = countersIn(set, call)
    if (called === undefined) return undefined
    return fitting(called, call, need, clock()) ? new CountedCall(called, need, clock) : enterLate(called, call, need)
  }

  const channelLimits: ChannelLimits = {
    enter: (call, need) => enter(ofChannels, call, need),
    isFull(call, need) {
      const now = clock()
      // On several processes a used-up lease says little unless the store was asked just now.
      const isAtEnd = (counter: Counter): boolean =>
        counter.isReady &&
        !counter.fits(counter.compiled.amounts.reserved(need), now) &&
        // `fits` may have begun a window anew, of which nothing is known yet.
        counter.isReady &&
        (!parts.isShared || Math.abs(now - counter.refusedAt) < refusedMs)
      return ofChannels.countersOfAsked(call).some(isAtEnd) || ofChannels.countersOfNamed(call).some(isAtEnd)
    },
  }

  // `isOn` and `ofChannels` are plain values, so that unlimited calls need no function call.
  const limiter: Limiter & { isOn: boolean; ofChannels: ChannelLimits | undefined } = {
    isOn: false,
    ofChannels: undefined,

    enter: (call, need) => enter(ofCalls, call, need),

    enterNamed(call, need) {
      const all = ofCalls.countersOfNamed(call)
      if (all.length === 0) return undefined
      // Their billed use is counted where the whole call is settled.
      const called = { all, own: 0, ofUse: () => [] }
      return fitting(called, call, need, clock()) ? new CountedCall(called, need, clock) : enterLate(called, call, need)
    },

    setLimits(next) {
      const before = new Map(limits.map((compiled) => [compiled.limit.id, compiled]))
      limits = next.map((limit) => {
        const compiled = compiledLimit(limit)
        const same = before.get(limit.id)
        return same?.shape === compiled.shape ? { ...compiled, window: same.window } : compiled
      })
      ofCalls.setLimits(limits.filter((compiled) => !compiled.ofChannels))
      ofChannels.setLimits(limits.filter((compiled) => compiled.ofChannels))
      const byId = new Map(limits.map((compiled) => [compiled.limit.id, compiled]))
      const kept = new Map<string, Counter>()
      for (const [name, counter] of counters) {
        const compiled = byId.get(counter.compiled.limit.id)
        if (compiled === undefined || compiled.shape !== counter.compiled.shape) continue
        counter.change(compiled)
        kept.set(name, counter)
      }
      counters = kept
      invented.count(kept.values())
      forgetKnown()
      limiter.isOn = limits.length > 0
      limiter.ofChannels = ofChannels.isEmpty ? undefined : channelLimits
    },

    async countersOf(call) {
      const all = ofCalls.countersFor(call)
      await ready(all)
      return [...all, ...[...counters.values()].filter((counter) => !all.includes(counter) && isOf(counter, call))]
    },

    async countersOfLimit(id) {
      const compiled = limits.find(({ limit }) => limit.id === id)
      if (compiled?.limit.subjects.every(isWholeSubject) === true)
        counterOf(
          compiled,
          compiled.limit.subjects.map(({ value }) => value),
        )
      const all = [...counters.values()].filter((counter) => counter.compiled.limit.id === id)
      await ready(all.slice(0, mostAskedForView))
      return all
    },

    telling: () => [...counters.values()].filter((counter) => counter.compiled.limit.tell_at.length > 0),
    watched: () => [...counters.values()].filter((counter) => counter.compiled.limit.tell_unusual),

    async renew() {
      await leases.renew()
      forgetIdle()
    },
  }
  return limiter
}

/** True if a counter counts calls of this key, or of this user, among other criteria. Counters of channels are not shown to callers. */
const isOf = ({ compiled, values }: Counter, call: LimitedCall): boolean =>
  !compiled.ofChannels &&
  compiled.limit.subjects.some(
    ({ kind }, index) => (kind === 'key' || kind === 'user') && values[index] === subjectOf[kind](call),
  )

const countsInput = ({ compiled }: Counter): boolean =>
  compiled.limit.measure === 'tokens' || compiled.limit.measure === 'input_tokens' || compiled.limit.measure === 'money'
