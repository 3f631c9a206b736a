import type { LimitMeasure } from '@tollgate/contract'
import {
  type CallNeed,
  type CallUse,
  type Gauge,
  type Gauges,
  type LimitEntry,
  type LimitedCall,
  LimitRefusal,
  type OtherModelUse,
  type UsedCounts,
} from './call-limits.ts'
import type { Counter } from './counter.ts'
import { limitTexts } from './limit-texts.ts'
import { countsModel, sumOfUses, useOfCounter } from './use-of-counter.ts'

/** The counters of one call. */
export interface CallCounters {
  /** Counters of the requested model, then those of the models that the request names in addition. */
  readonly all: readonly Counter[]
  /** Number of counters of the requested model. */
  readonly own: number
  /** The counters for a model that worked on its answer. */
  readonly ofUse: (use: OtherModelUse) => readonly Counter[]
}

/** An admitted call. */
export class CountedCall implements LimitEntry {
  private readonly called: CallCounters
  private readonly counters: readonly Counter[]
  private readonly clock: () => number
  private readonly need: CallNeed
  private readonly now: number
  /** The pieces in which it counts. */
  private readonly pieces: number[] = []
  private isOpen = true

  constructor(called: CallCounters, need: CallNeed, clock: () => number) {
    this.called = called
    this.counters = called.all
    this.need = need
    this.clock = clock
    this.now = clock()
    for (const counter of this.counters) this.pieces.push(counter.reserve(counter.compiled.amounts.reserved(need)))
  }

  gauges(): Gauges {
    return gaugesOf(this.counters, this.now)
  }

  settle(use: CallUse | undefined): void {
    if (!this.isOpen) return
    this.isOpen = false
    const { counters, need, pieces } = this
    for (let index = 0; index < counters.length; index += 1) {
      const counter = counters[index]
      const piece = pieces[index]
      if (counter === undefined || piece === undefined) continue
      const { amounts } = counter.compiled
      counter.settle(amounts.reserved(need), amounts.used(useOfCounter(counter, use, index >= this.called.own)), piece)
    }
    if (use?.byModel !== undefined) addModels(this.called, use.byModel.others, this.clock)
  }
}

/** Counts models of the answer that the request does not name: those of routers, and of tools that have one of their own. */
export const addModels = (called: CallCounters, others: readonly OtherModelUse[], clock: () => number): void => {
  const uses = new Map<Counter, UsedCounts>()
  for (const each of others)
    for (const counter of called.ofUse(each)) {
      const isCounted = called.all.some((one, index) => one === counter && index >= called.own)
      if (isCounted && countsModel(counter, each)) continue
      const before = uses.get(counter)
      uses.set(counter, before === undefined ? each : sumOfUses(before, each))
    }
  for (const [counter, use] of uses) counter.add(counter.compiled.amounts.used(use), clock())
}

/** Which gauge shows a measure; the others have no header. */
const gaugeNames: Partial<Record<LimitMeasure, 'requests' | 'tokens' | 'input' | 'output'>> = {
  requests: 'requests',
  tokens: 'tokens',
  input_tokens: 'input',
  output_tokens: 'output',
}

const isCloser = (one: Gauge, other: Gauge | undefined): boolean =>
  other === undefined || one.left / one.most < other.left / other.most

/** Of each measure the limit that is closest to its end. */
const gaugesOf = (counters: readonly Counter[], now: number): Gauges => {
  const gauges: { -readonly [Name in keyof Gauges]: Gauges[Name] } = { at: now }
  for (const counter of counters) {
    const { compiled, most } = counter
    const name = gaugeNames[compiled.limit.measure]
    if (name === undefined || !compiled.refuses) continue
    const gauge = { most, left: counter.leftAt(now), freeAt: counter.freeAt() }
    if (isCloser(gauge, gauges[name])) gauges[name] = gauge
  }
  return gauges
}

/** Milliseconds. Resets further away than a year are treated as permanent. */
const soonest = 366 * 86_400_000
/** Seconds after which a running call may have ended. */
const runningRetry = 1

/** Error for a refused call, by the limit with the latest reset. */
export const refusalOf = (
  full: readonly Counter[],
  { all, own }: Pick<CallCounters, 'all' | 'own'>,
  about: {
    readonly call: LimitedCall
    readonly need: CallNeed
    readonly now: number
    readonly amountText: (quota: number) => string
  },
): LimitRefusal => {
  const { call, need, now, amountText } = about
  const waits = full.map((counter) => {
    const amount = counter.compiled.amounts.reserved(need)
    if (amount > counter.most) return { counter, amount, ms: Number.POSITIVE_INFINITY }
    if (counter.compiled.limit.window === 'now') return { counter, amount, ms: runningRetry * 1000 }
    return { counter, amount, ms: Math.max(1000, counter.freeFor(amount, now) - now) }
  })
  const [longest] = waits.toSorted((one, other) => other.ms - one.ms)
  if (longest === undefined) throw new Error('no limit refuses the call')
  const seconds = longest.ms > soonest ? undefined : Math.ceil(longest.ms / 1000)
  const params = limitTexts(longest.counter, {
    call,
    amountText,
    seconds,
    amount: longest.amount,
    left: longest.counter.leftAt(now),
  })
  const code = seconds === undefined ? 'limit_used_up' : 'rate_limit_exceeded'
  const { fallback_model: model, name } = longest.counter.compiled.limit
  // Another model in the place of the asked one would not keep the call from those that it names beside it.
  const isOwn = (counter: Counter): boolean => all.indexOf(counter) < own
  const fallback = full.every((counter) => counter.compiled.fallsBack && isOwn(counter))
    ? { model, limit: name }
    : undefined
  return new LimitRefusal(code, { params, retryAfter: seconds }, gaugesOf(all, now), fallback)
}
