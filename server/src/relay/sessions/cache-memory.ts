import { cachedTokens, promptTokens, type Usage } from '../../billing/usage.ts'
import { familyOf } from '../../dialects/facts/models.ts'
import { createBoundedCache } from '../../lib/caches/bounded-cache.ts'
import type { RelayCall } from '../call.ts'
import { type CachedCall, isTooShort, missedTokens, missOf, type RecordedMiss } from './cache-doctor.ts'
import { promptPrint } from './prompt-print.ts'
import type { SessionTrace } from './session-route.ts'

/** Prompt caching by the table of models (`dialects/facts`). */

/** The minimum of a model that the table does not name. */
const usual = 1024

/** Tokens of a prompt below which the model's provider does not cache it. */
export const cacheMinimumOf = (model: string): number => familyOf(model)?.cacheMinimum ?? usual

/** True for a model whose provider is known to cache prompts, so that an uncached prompt may be too short. */
const isKnownToCache = (model: string): boolean => familyOf(model)?.cacheMinimum !== undefined

/**
 * Cached prompts of the last calls of sessions, by session and model: hashes and figures, no texts. In memory of one node, bounded; of a
 * session on several nodes each judges its own calls.
 */
export interface CacheMemory {
  /**
   * Miss of an answered call; undefined where it read the expected amount. Notes the call, whose hashes are computed after the answer
   * unless a miss needs them now.
   */
  seen(call: JudgedCall, usage: Usage, trace: SessionTrace): RecordedMiss | undefined
}

export interface JudgedCall extends Pick<RelayCall, 'dialect' | 'body' | 'model'> {
  /** The channel's name of the model; the same when absent. */
  readonly upstreamModel?: string
}

export interface CacheMemoryParts {
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Runs `work` once the answer was sent. */
  readonly later: (work: () => void) => void
  /** Most sessions; the least recently used are evicted. */
  readonly most?: number
}

/** About 100 MB where all of them have 2,000 turns; 1 kB each in general. */
const usualMost = 10_000
/** Most models of one session. */
const mostModels = 4

type Models = Map<string, CachedCall>

export const openCacheMemory = ({ clock, later, most = usualMost }: CacheMemoryParts): CacheMemory => {
  const sessions = createBoundedCache<string, Models>({ entries: most })

  const modelsOf = (id: string): Models => {
    const known = sessions.get(id)
    if (known !== undefined) return known
    const models: Models = new Map()
    sessions.set(id, models)
    return models
  }

  const keep = (models: Models, call: CachedCall): void => {
    const known = models.get(call.model)
    if (known !== undefined && known.at > call.at) return
    models.delete(call.model)
    models.set(call.model, call)
    const [oldest] = models.keys()
    if (models.size > mostModels && oldest !== undefined) models.delete(oldest)
  }

  return {
    seen({ dialect, body, model, upstreamModel = model }, usage, trace) {
      if (dialect === undefined) return undefined
      const facts = {
        model,
        at: clock(),
        promptTokens: promptTokens(usage),
        minimum: cacheMinimumOf(upstreamModel),
        cached: cachedTokens(usage),
        written: usage.cacheWrite + usage.cacheWrite1h,
      }
      const models = modelsOf(trace.id)
      const known = models.get(model)
      const before = known ?? otherModel(models)
      // Reading extends the cache for as long as writing did.
      const forAnHour = usage.cacheWrite1h > 0 || (known?.forAnHour === true && facts.cached > 0)
      const missed = before === undefined ? 0 : missedTokens(before, facts)
      if (before === undefined || missed === 0) {
        later(() => keep(models, { ...facts, forAnHour, print: promptPrint(dialect, body) }))
        const isShort = known !== undefined && isTooShort(known, facts, isKnownToCache(upstreamModel))
        return isShort ? { cause: 'below_minimum', tokens: 0 } : undefined
      }
      const now = { ...facts, forAnHour, print: promptPrint(dialect, body) }
      keep(models, now)
      // Another model has a separate conversation, unless it continues this one.
      if (known === undefined && before.print.turns[0] !== now.print.turns[0]) return undefined
      return missOf(before, now, trace, missed)
    },
  }
}

/** The session's previous model, where it calls another one for the first time. */
const otherModel = (models: Models): CachedCall | undefined => [...models.values()].at(-1)
