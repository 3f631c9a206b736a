import type { LimitedCall } from './call-limits.ts'
import { type CompiledLimit, countedOf, subjectOf } from './compiled-limit.ts'
import type { Counter } from './counter.ts'

/** Combinations of subjects whose counters are remembered; more begin anew. */
const mostKnown = 20_000

/** Limits that are asked at the same moment of a call, and the counters that they have for it. */
export class LimitSet {
  private readonly counterOf: (compiled: CompiledLimit, values: readonly string[]) => Counter
  private limits: readonly CompiledLimit[] = []
  private looksAt: readonly (keyof typeof subjectOf)[] = []
  private readonly known = new Map<string, readonly Counter[]>()

  constructor(counterOf: (compiled: CompiledLimit, values: readonly string[]) => Counter) {
    this.counterOf = counterOf
  }

  get isEmpty(): boolean {
    return this.limits.length === 0
  }

  setLimits(limits: readonly CompiledLimit[]): void {
    this.limits = limits
    this.looksAt = [...new Set(limits.flatMap(({ limit }) => limit.subjects.map(({ kind }) => kind)))]
    this.known.clear()
  }

  /** Counters were removed: those of a call are looked for again. */
  forget(): void {
    this.known.clear()
  }

  /** What counts such a call. */
  countersFor(call: LimitedCall): readonly Counter[] {
    let name = ''
    for (const kind of this.looksAt) name += `${subjectOf[kind](call) ?? ''}\n`
    const before = this.known.get(name)
    if (before !== undefined) return before
    if (this.known.size >= mostKnown) this.known.clear()
    const found = this.find(call)
    this.known.set(name, found)
    return found
  }

  private find(call: LimitedCall): readonly Counter[] {
    return this.limits.flatMap((compiled) => {
      const values = countedOf(compiled, call)
      return values === undefined ? [] : [this.counterOf(compiled, values)]
    })
  }
}
