import { type CallComparison, logType } from '@tollgate/contract'
import { parseObject } from '@tollgate/contract/json'
import type { Database } from '#server/db/database.ts'
import { createBoundedCache } from '#server/lib/caches/bounded-cache.ts'
import { type Clock, unixSeconds } from '#server/lib/clock.ts'
import { medianOf } from './median.ts'

/** Newest rows of the log that a median is looked for in, of a model, or of all models of a user. */
const mostRows = 500
/** Least number of calls of the model for a median. */
const leastCalls = 20
const medianSeconds = 300
const mostMedians = 2_000

interface Median {
  readonly median: number
  readonly calls: number
}

interface MedianParts {
  /** The database of the logs. */
  readonly database: Pick<Database, 'query'>
  readonly clock: Clock
}

/** Compares charged calls with the median of recent ones: of the site, or of one user among his own. */
export const createCallMedian = ({ database: { query }, clock }: MedianParts) => {
  const medians = createBoundedCache<string, Median & { readonly until: number }>({ entries: mostMedians })

  const read = async (model: string, userId: number | undefined): Promise<Median> => {
    const newest = query.selectFrom('logs').select(['quota', 'type', 'model_name'])
    // Either is read along an index; what is filtered afterwards is within the rows that were read.
    const of = userId === undefined ? newest.where('model_name', '=', model) : newest.where('user_id', '=', userId)
    const rows = await of.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(mostRows).execute()
    const quotas = rows
      .filter(({ type, model_name }) => type === logType.consume && model_name === model)
      .map(({ quota }) => quota)
    return { median: medianOf(quotas), calls: quotas.length }
  }

  const cached = async (model: string, userId: number | undefined): Promise<Median> => {
    const key = `${userId ?? ''} ${model}`
    const now = unixSeconds(clock)
    const known = medians.get(key)
    if (known !== undefined && known.until > now) return known
    const fresh = { ...(await read(model, userId)), until: now + medianSeconds }
    medians.set(key, fresh)
    return fresh
  }

  /** Null for calls of others, calls without a charge, and models with too few calls. */
  return async (requestId: string, userId?: number): Promise<CallComparison> => {
    const call = await query
      .selectFrom('logs')
      .select(['user_id', 'type', 'model_name', 'quota', 'prompt_tokens', 'other'])
      .where('request_id', '=', requestId)
      .executeTakeFirst()
    const isSeen = call !== undefined && (userId === undefined || call.user_id === userId)
    if (!isSeen || call.type !== logType.consume || call.quota <= 0) return null
    const { median, calls } = await cached(call.model_name, userId)
    if (calls < leastCalls || median <= 0) return null
    const { cache_tokens } = parseObject(call.other)
    const fromCache = typeof cache_tokens === 'number' ? Math.max(0, Math.round(cache_tokens)) : 0
    return { model: call.model_name, quota: call.quota, median, calls, prompt: call.prompt_tokens, cached: fromCache }
  }
}
