import type { Limit } from '@tollgate/contract'
import { createBoundedCache } from '../lib/caches/bounded-cache.ts'
import type { CallLimits, CallNeed, ChannelLimits, LimitEntry, LimitedCall, OtherModelUse } from './call-limits.ts'
import { type CompiledLimit, compiledLimit, isWholeSubject, subjectOf } from './compiled-limit.ts'
import { addModels, type CallCounters, CountedCall, refusalOf } from './counted-call.ts'
import { Counter } from './counter.ts'
import { FoundLimits } from './found-limits.ts'
import { openInventedValues } from './invented-values.ts'
import { openLeases } from './leases.ts'
import type { KnownCounters } from './limit-set.ts'
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
/** Most combinations of subjects with cached counters. */
const mostKnown = 20_000
/** Counters that are loaded to be displayed. */
const mostAskedForView = 200
const nothing: CallNeed = { input: 0, output: 0, money: 0 }
/** Milliseconds in which calls are refused as the last one was. */
const refusedMs = 100

type Step = 'ofCalls' | 'ofChannels'
/** The limits of a step that count models apart are among these. */
const modelsOf = { ofCalls: 'ofModels', ofChannels: 'ofChannels' } as const

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

  const known: KnownCounters = { counterOf, byCall: createBoundedCache({ entries: mostKnown }) }
  /** For calls without a plan. */
  let all: FoundLimits | undefined

  /** The limits of a call's plan, or of the site where it has none of the present ones. */
  const foundFor = ({ plan }: LimitedCall): FoundLimits | undefined => {
    const planned = plan?.limits
    return planned instanceof FoundLimits && planned.site === limits ? planned : all
  }

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
    if (forgot) known.byCall.clear()
  }

  /** Loads the counters of this window if they were not loaded yet. */
  const ready = async (all: readonly Counter[]): Promise<void> => {
    await leases.ask(
      all.filter((counter) => !counter.fits(0, clock())),
      nothing,
    )
  }

  /** By the limits of the moment: they may have changed since the call began. */
  const countersOfUse = (step: Step, call: LimitedCall, use: OtherModelUse): readonly Counter[] =>
    foundFor(call)?.[modelsOf[step]].countersOfUse(call, use) ?? []

  const countersIn = (step: Step, call: LimitedCall): CallCounters | undefined => {
    const found = foundFor(call)
    if (found === undefined) return undefined
    const models = found[modelsOf[step]]
    const versions = models.countersOfVersions(call)
    const counters = found[step].countersFor(call)
    const own = versions.length === 0 ? counters : [...counters, ...versions]
    const named = models.countersOfNamed(call)
    // The model that answers may be another one, which is limited.
    if (own.length + named.length === 0 && !models.countsModels) return undefined
    const ofUse: CallCounters['ofUse'] = (use) => countersOfUse(step, call, use)
    return { all: named.length === 0 ? own : [...own, ...named], own: own.length, ofUse }
  }

  const enter = (step: Step, call: LimitedCall, need: CallNeed): ReturnType<CallLimits['enter']> => {
    const called = countersIn(step, call)
    if (called === undefined) return undefined
    return fitting(called, call, need, clock()) ? new CountedCall(called, need, clock) : enterLate(called, call, need)
  }

  const channelLimits: ChannelLimits = {
    enter: (call, need) => enter('ofChannels', call, need),
    isFull(call, need) {
      const set = foundFor(call)?.ofChannels
      if (set === undefined) return false
      const now = clock()
      // On several processes a used-up lease says little unless the store was asked just now.
      const isAtEnd = (counter: Counter): boolean =>
        counter.isReady &&
        !counter.fits(counter.compiled.amounts.reserved(need), now) &&
        // `fits` may have begun a window anew, of which nothing is known yet.
        counter.isReady &&
        (!parts.isShared || Math.abs(now - counter.refusedAt) < refusedMs)
      return (
        set.countersFor(call).some(isAtEnd) ||
        set.countersOfVersions(call).some(isAtEnd) ||
        set.countersOfNamed(call).some(isAtEnd)
      )
    },
  }

  // `all` and `ofChannels` are plain values, so that unlimited calls need no function call.
  const limiter: Limiter & { all: FoundLimits | undefined; ofChannels: ChannelLimits | undefined } = {
    all: undefined,
    ofChannels: undefined,

    plannedFor: (subjects) => all?.narrowed(subjects, known),

    enter: (call, need) => enter('ofCalls', call, need),

    enterNamed(call, need) {
      const counters = foundFor(call)?.ofModels.countersOfNamed(call) ?? []
      if (counters.length === 0) return undefined
      // Their billed use is counted where the whole call is settled.
      const called = { all: counters, own: 0, ofUse: () => [] }
      return fitting(called, call, need, clock()) ? new CountedCall(called, need, clock) : enterLate(called, call, need)
    },

    addModels(call, uses) {
      addModels({ all: [], own: 0, ofUse: (use) => countersOfUse('ofCalls', call, use) }, uses, clock)
    },

    setLimits(next) {
      const before = new Map(limits.map((compiled) => [compiled.limit.id, compiled]))
      limits = next.map((limit) => {
        const compiled = compiledLimit(limit)
        const same = before.get(limit.id)
        return same?.shape === compiled.shape ? { ...compiled, window: same.window } : compiled
      })
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
      known.byCall.clear()
      all = FoundLimits.ofSite(limits, known)
      limiter.all = all
      limiter.ofChannels = all === undefined || all.channels.length === 0 ? undefined : channelLimits
    },

    async countersOf(call) {
      const counting = all?.ofCalls.countersFor(call) ?? []
      await ready(counting)
      const others = [...counters.values()].filter((counter) => !counting.includes(counter) && isOf(counter, call))
      return [...counting, ...others]
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
