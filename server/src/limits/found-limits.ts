import type { Limit, LimitSubject } from '@tollgate/contract'
import type { PlannedLimits, PlannedSubjects } from './call-limits.ts'
import { type CompiledLimit, mayCount } from './compiled-limit.ts'
import { type KnownCounters, LimitSet } from './limit-set.ts'

type Subjects = ReadonlySet<LimitSubject>

/** Subjects that all calls of a key have in common. The name of a virtual model is known with its plan, its target is not. */
const ofKey: Subjects = new Set(['key', 'user', 'team', 'project', 'member', 'group', 'virtual_model'])
/** Subjects that all calls of a key for a model have in common. */
const ofKeyAndModel: Subjects = new Set([...ofKey, 'model'])
const ofNone: Subjects = new Set()

const setOf = (limits: readonly CompiledLimit[], decided: Subjects, known: KnownCounters): LimitSet =>
  new LimitSet(limits, decided, known)

const limitsIn = ({ limits }: LimitSet): readonly Limit[] => limits.map(({ limit }) => limit)

/** Limits that can count some calls, by the steps at which they do so, with their counters. */
export class FoundLimits implements PlannedLimits {
  /** All limits of the site: once it has others, these are out of date. */
  readonly site: readonly CompiledLimit[]
  readonly ofCalls: LimitSet
  readonly ofModels: LimitSet
  readonly ofChannels: LimitSet
  readonly calls: readonly Limit[]
  readonly models: readonly Limit[]
  readonly channels: readonly Limit[]

  private constructor(site: readonly CompiledLimit[], sets: Pick<FoundLimits, 'ofCalls' | 'ofModels' | 'ofChannels'>) {
    this.site = site
    this.ofCalls = sets.ofCalls
    this.ofModels = sets.ofModels
    this.ofChannels = sets.ofChannels
    this.calls = limitsIn(sets.ofCalls)
    this.models = limitsIn(sets.ofModels)
    this.channels = limitsIn(sets.ofChannels)
  }

  /** Limits for calls of which nothing is known; undefined where the site has none. */
  static ofSite(site: readonly CompiledLimit[], known: KnownCounters): FoundLimits | undefined {
    if (site.length === 0) return undefined
    const calls = site.filter(({ ofChannels }) => !ofChannels)
    return new FoundLimits(site, {
      ofCalls: setOf(calls, ofNone, known),
      ofModels: setOf(
        calls.filter(({ modelAt }) => modelAt !== -1),
        ofNone,
        known,
      ),
      ofChannels: setOf(
        site.filter(({ ofChannels }) => ofChannels),
        ofNone,
        known,
      ),
    })
  }

  /** Those of them that can count a key's calls for a model; undefined where none can. */
  narrowed(subjects: PlannedSubjects, known: KnownCounters): FoundLimits | undefined {
    const call = { ...subjects, ip: '' }
    const narrow = ({ limits }: LimitSet, decided: Subjects): LimitSet =>
      setOf(
        limits.filter((compiled) => mayCount(compiled, call, decided)),
        decided,
        known,
      )
    const sets = {
      ofCalls: narrow(this.ofCalls, ofKeyAndModel),
      ofModels: narrow(this.ofModels, ofKey),
      ofChannels: narrow(this.ofChannels, ofKey),
    }
    const isEmpty = Object.values(sets).every(({ limits }) => limits.length === 0)
    return isEmpty ? undefined : new FoundLimits(this.site, sets)
  }
}
