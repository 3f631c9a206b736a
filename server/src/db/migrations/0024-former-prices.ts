import type { Kysely } from 'kysely'
import { audioCompletionRatios, audioRatios } from '../../billing/tables/audio-ratios.ts'
import { completionRatios2025, formerlyFixedRatio } from '../../billing/tables/completion-ratios.ts'
import { cacheRatios2025, modelRatios2025 } from '../../billing/tables/ratios-2025.ts'
import { upsert } from '../dialect.ts'
import type { Tables } from '../schema.ts'

type Figures = Readonly<Record<string, number>>

/** Former defaults of the price options, which applied where the operator had saved nothing else. */
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

const hasUsers = async (on: Kysely<Tables>): Promise<boolean> =>
  (await on.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined

/**
 * Decides whether price lists count in a database that an earlier version has used: they are off there, and the ratios that were
 * built in are stored as the operator's, so that not one charge changes until the operator switches the lists on. A new database
 * stores nothing and has the default. It is a step of the schema because every node waits for those: none reads options before the
 * decision. One statement writes it, so that a step which is repeated finds all of it or nothing.
 */
export const formerPrices = {
  up: async (on: Kysely<Tables>): Promise<void> => {
    const rows = await on.selectFrom('options').select(['key', 'value']).execute()
    const stored = new Map(rows.map(({ key, value }) => [key, value]))
    if (stored.has(marker) || !(await hasUsers(on))) return
    const decided = [...formerRows(stored), { key: marker, value: 'false' }]
    await upsert(on, 'options', decided, { key: ['key'], set: ['value'] })
  },
}
