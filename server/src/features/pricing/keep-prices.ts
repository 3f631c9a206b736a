import type { Transaction } from 'kysely'
import { audioCompletionRatios, audioRatios } from '../../billing/tables/audio-ratios.ts'
import { cacheRatios2025 } from '../../billing/tables/cache-ratios.ts'
import { completionRatios2025 } from '../../billing/tables/completion-map.ts'
import { formerlyFixedRatio } from '../../billing/tables/completion-ratios.ts'
import { modelRatios2025 } from '../../billing/tables/model-ratios.ts'
import type { Database } from '../../db/database.ts'
import { upsert } from '../../db/dialect.ts'
import type { Tables } from '../../db/schema.ts'

type Figures = Readonly<Record<string, number>>

/** What the price options were until price lists came, where the operator had saved nothing else. */
const formerDefaults: Readonly<Record<string, Figures>> = {
  ModelRatio: modelRatios2025,
  CacheRatio: cacheRatios2025,
  CompletionRatio: completionRatios2025,
  AudioRatio: audioRatios,
  AudioCompletionRatio: audioCompletionRatios,
}

const marker = 'PriceListsEnabled'

/** A stored map; undefined for text that is none, which is left as it is. */
const readFigures = (text: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** Ratios that the option named and that earlier versions did not heed, replaced by those that they billed. */
const asBilled = (text: string): string => {
  const figures = readFigures(text)
  if (figures === undefined) return text
  const billed = Object.entries(figures).map(([model, ratio]) => [model, formerlyFixedRatio(model) ?? ratio])
  return JSON.stringify(Object.fromEntries(billed))
}

const formerRows = (stored: ReadonlyMap<string, string>): { key: string; value: string }[] =>
  Object.entries(formerDefaults).flatMap(([key, figures]) => {
    const text = stored.get(key)
    if (text === undefined) return { key, value: JSON.stringify(figures) }
    return key === 'CompletionRatio' ? { key, value: asBilled(text) } : []
  })

const hasUsers = async (trx: Transaction<Tables>): Promise<boolean> =>
  (await trx.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined

/**
 * Decides once per database whether price lists count. A new one has them. In one that an earlier version has used they are
 * off, and the ratios that were built in are stored as the operator's, so that not one charge changes until the operator
 * switches the lists on. Call it before the options are read.
 */
export const keepFormerPrices = (database: Database): Promise<void> =>
  database.transaction(async (trx) => {
    const rows = await trx.selectFrom('options').select(['key', 'value']).execute()
    const stored = new Map(rows.map(({ key, value }) => [key, value]))
    if (stored.has(marker)) return
    const isUsed = await hasUsers(trx)
    const former = isUsed ? formerRows(stored) : []
    const decided = [...former, { key: marker, value: String(!isUsed) }]
    await upsert(trx, 'options', decided, { key: ['key'], set: ['value'] })
  })
