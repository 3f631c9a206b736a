import { createBoundedCache } from '../lib/caches/bounded-cache.ts'
import type { LimitedCall, OtherModelUse } from './call-limits.ts'
import { asCallOf, type CompiledLimit, countedOf, subjectOf } from './compiled-limit.ts'
import type { Counter } from './counter.ts'

/** Most combinations of subjects with cached counters; others begin anew. */
const mostKnown = 20_000
const none: readonly Counter[] = []

/** Limits that apply at the same step of a call, and their counters for it. */
export class LimitSet {
  private readonly counterOf: (compiled: CompiledLimit, values: readonly string[]) => Counter
  private limits: readonly CompiledLimit[] = []
  private looksAt: readonly (keyof typeof subjectOf)[] = []
  private readonly known = createBoundedCache<string, readonly Counter[]>({ entries: mostKnown })

  constructor(counterOf: (compiled: CompiledLimit, values: readonly string[]) => Counter) {
    this.counterOf = counterOf
  }

  get isEmpty(): boolean {
    return this.limits.length === 0
  }

  /** True where a limit counts models apart. */
  get countsModels(): boolean {
    return this.looksAt.includes('model')
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

  /** Counters of a call. */
  countersFor(call: LimitedCall): readonly Counter[] {
    let name = ''
    for (const kind of this.looksAt) name += `${subjectOf[kind](call) ?? ''}\n`
    const before = this.known.get(name)
    if (before !== undefined) return before
    const found = this.find(call)
    this.known.set(name, found)
    return found
  }

  /** The counters of such a call for the models that it names beside its own. */
  countersOfNamed(call: LimitedCall): readonly Counter[] {
    if (call.named === undefined || !this.countsModels) return none
    return call.named.flatMap((model) =>
      this.countersFor(asCallOf(call, model)).filter(({ compiled }) => compiled.modelAt !== -1),
    )
  }

  /** The counters of such a call for the model and the versions that it asks for. */
  countersOfAsked(call: LimitedCall): readonly Counter[] {
    const own = this.countersFor(call)
    if (call.versions === undefined || !this.countsModels) return own
    return [...own, ...call.versions.flatMap((version) => this.countersOfVersion(call, version))]
  }

  private countersOfVersion(call: LimitedCall, version: string): readonly Counter[] {
    return this.limits.flatMap((compiled) => {
      if (compiled.limit.subjects[compiled.modelAt]?.value !== version) return []
      const values = countedOf(compiled, asCallOf(call, version))
      return values === undefined ? [] : [this.counterOf(compiled, values)]
    })
  }

  /** The counters for a model of an answer, under whichever of its names. */
  countersOfUse(call: LimitedCall, { model, isCalled }: OtherModelUse): readonly Counter[] {
    return this.limits.flatMap((compiled) => {
      const subject = compiled.limit.subjects[compiled.modelAt]
      if (subject === undefined) return []
      const name = subject.value !== '' && isCalled(subject.value) ? subject.value : model
      const values = countedOf(compiled, asCallOf(call, name))
      return values === undefined ? [] : [this.counterOf(compiled, values)]
    })
  }

  private find(call: LimitedCall): readonly Counter[] {
    return this.limits.flatMap((compiled) => {
      const values = countedOf(compiled, call)
      return values === undefined ? [] : [this.counterOf(compiled, values)]
    })
  }
}
