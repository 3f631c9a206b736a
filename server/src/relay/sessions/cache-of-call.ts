import { cacheMoney } from '../../billing/cost.ts'
import type { Price } from '../../billing/price.ts'
import { cachedTokens, type Usage } from '../../billing/usage.ts'
import type { RelayCall } from '../call.ts'
import type { AttemptLog } from '../records/attempt-log.ts'
import type { Charged } from '../records/charged.ts'
import type { CacheMemory } from './cache-memory.ts'

export interface CacheParts {
  readonly cacheMemory?: CacheMemory
  readonly log: (event: string, fields: Readonly<Record<string, unknown>>) => void
}

/** Cached tokens of an answer, and the cause of a miss. */
export const cacheOfCall = (
  call: RelayCall,
  { usage, price }: { readonly usage: Usage; readonly price: Price },
  { session, upstreamModel }: AttemptLog,
  { cacheMemory, log }: CacheParts,
): Charged['cache'] => {
  try {
    const miss =
      session &&
      cacheMemory?.seen({ dialect: call.dialect, body: call.body, model: call.model, upstreamModel }, usage, session)
    if (miss === undefined && cachedTokens(usage) === 0) return undefined
    return { miss, ...cacheMoney(usage, price, miss?.tokens ?? 0) }
  } catch (error) {
    // The answer is charged even if the analysis fails.
    log('cache_not_judged', { request_id: call.id, error })
    return undefined
  }
}
