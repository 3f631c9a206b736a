import type { LimitSubject } from '@tollgate/contract'
import type { BoundedCache } from '../lib/caches/bounded-cache.ts'
import type { LimitedCall, OtherModelUse } from './call-limits.ts'
import { asCallOf, type CompiledLimit, countedOf, subjectOf } from './compiled-limit.ts'
import type { Counter } from './counter.ts'

/** Counters of this process. */
export interface KnownCounters {
  counterOf(compiled: CompiledLimit, values: readonly string[]): Counter
  /** By the name of a set and the subjects of a call that it looks at; emptied where counters are removed. */
  readonly byCall: BoundedCache<string, readonly Counter[]>
}

const none: readonly Counter[] = []

let sets = 0

/** Limits that apply at the same step of a plan's calls, and their counters for a call. */
export class LimitSet {
  readonly limits: readonly CompiledLimit[]
  private readonly known: KnownCounters
  /** Unlike that of every other set. */
  private readonly name: string
  private readonly looksAt: readonly LimitSubject[]
  /** True where a limit counts models apart. */
  readonly countsModels: boolean

  /** `decided` are subjects that all calls of the set have in common. */
  constructor(limits: readonly CompiledLimit[], decided: ReadonlySet<LimitSubject>, known: KnownCounters) {
    sets += 1
    this.limits = limits
    this.known = known
    this.name = `${sets}\n`
    const kinds = new Set(limits.flatMap(({ limit }) => limit.subjects.map(({ kind }) => kind)))
    this.looksAt = [...kinds].filter((kind) => !decided.has(kind))
    this.countsModels = kinds.has('model')
  }

  /** Counters of a call. */
  countersFor(call: LimitedCall): readonly Counter[] {
    let { name } = this
    for (const kind of this.looksAt) name += `${subjectOf[kind](call) ?? ''}\n`
    const { byCall } = this.known
    const before = byCall.get(name)
    if (before !== undefined) return before
    const found = this.find(call)
    byCall.set(name, found)
    return found
  }

  /** The counters of such a call for the models that it names beside its own. */
  countersOfNamed(call: LimitedCall): readonly Counter[] {
    if (call.named === undefined || !this.countsModels) return none
    return call.named.flatMap((model) =>
      this.countersFor(asCallOf(call, model)).filter(({ compiled }) => compiled.modelAt !== -1),
    )
  }

  /** The counters of such a call for the versions of its model that it asks for. */
  countersOfVersions(call: LimitedCall): readonly Counter[] {
    if (call.versions === undefined || !this.countsModels) return none
    return call.versions.flatMap((version) => this.countersOfVersion(call, version))
  }

  private countersOfVersion(call: LimitedCall, version: string): readonly Counter[] {
    return this.limits.flatMap((compiled) => {
      if (compiled.limit.subjects[compiled.modelAt]?.value !== version) return []
      const values = countedOf(compiled, asCallOf(call, version))
      return values === undefined ? [] : [this.known.counterOf(compiled, values)]
    })
  }

  /** The counters for a model of an answer, under whichever of its names. */
  countersOfUse(call: LimitedCall, { model, isCalled }: OtherModelUse): readonly Counter[] {
    return this.limits.flatMap((compiled) => {
      const subject = compiled.limit.subjects[compiled.modelAt]
      if (subject === undefined) return []
      const name = subject.value !== '' && isCalled(subject.value) ? subject.value : model
      const values = countedOf(compiled, asCallOf(call, name))
      return values === undefined ? [] : [this.known.counterOf(compiled, values)]
    })
  }

  private find(call: LimitedCall): readonly Counter[] {
    return this.limits.flatMap((compiled) => {
      const values = countedOf(compiled, call)
      return values === undefined ? [] : [this.known.counterOf(compiled, values)]
    })
  }
}
