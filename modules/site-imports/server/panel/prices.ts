import { parseObject } from '@tollgate/contract/json'
import type { NoteBook } from '../notes.ts'
import type { MovedOption, OpenSiteParts } from '../site.ts'

type Ratios = Readonly<Record<string, number>>

const ratiosOf = (stored: ReadonlyMap<string, string>, key: string): Ratios =>
  Object.fromEntries(
    Object.entries(parseObject(stored.get(key) ?? '')).filter(
      (entry): entry is [string, number] => typeof entry[1] === 'number' && entry[1] >= 0,
    ),
  )

/** Ratios of the programs for reading from and writing to a cache if no ratio is stored for a model. */
export interface CacheDefaults {
  /** Undefined where the program has a table of its own that is not in the database. */
  readonly read: number | undefined
  /** Undefined where the program does not bill it apart. */
  readonly write: number | undefined
}

export interface PriceParts {
  readonly stored: ReadonlyMap<string, string>
  readonly notes: NoteBook
  /** Names of models that the source's channels serve. */
  readonly served: ReadonlySet<string>
  readonly cache: CacheDefaults
  listed: OpenSiteParts['listed']
}

const filled = (ratios: Ratios, models: readonly string[], value: number | undefined): Ratios => {
  if (value === undefined) return ratios
  return { ...Object.fromEntries(models.map((model) => [model, value])), ...ratios }
}

const option = (key: string, ratios: Ratios): MovedOption[] =>
  Object.keys(ratios).length === 0 ? [] : [{ key, text: JSON.stringify(ratios) }]

/**
 * The price options as overrides that keep every bill: what the source's program decided for a model is written down where it
 * is known, and noted where only that program knows it.
 */
export const priceOptionsOf = ({ stored, notes, served, cache, listed }: PriceParts): readonly MovedOption[] => {
  const modelRatio = ratiosOf(stored, 'ModelRatio')
  const modelPrice = ratiosOf(stored, 'ModelPrice')
  const completion = ratiosOf(stored, 'CompletionRatio')
  const priced = Object.keys(modelRatio)
  const isServed = (model: string): boolean => served.has(model) && !Object.hasOwn(modelPrice, model)
  for (const model of served) {
    if (Object.hasOwn(modelRatio, model) || Object.hasOwn(modelPrice, model)) continue
    notes.note(listed(model) === undefined ? 'price_missing' : 'price_by_list', model)
  }
  for (const model of priced) {
    if (isServed(model) && !Object.hasOwn(completion, model)) notes.note('price_completion', model)
  }
  const storesReads = stored.has('CacheRatio')
  const reads = filled(ratiosOf(stored, 'CacheRatio'), priced, storesReads ? 1 : cache.read)
  const writes = filled(ratiosOf(stored, 'CreateCacheRatio'), priced, cache.write)
  for (const model of priced) {
    if (isServed(model) && Object.hasOwn(reads, model) && !Object.hasOwn(ratiosOf(stored, 'CacheRatio'), model))
      notes.note('price_cache', model)
  }
  return [
    ...option('ModelRatio', modelRatio),
    // An empty map is said, too: the built-in prices of this gateway would hold otherwise.
    ...(stored.has('ModelPrice') ? [{ key: 'ModelPrice', text: JSON.stringify(modelPrice) }] : []),
    ...option('CompletionRatio', completion),
    ...option('CacheRatio', reads),
    ...option('CacheWriteRatio', writes),
    ...option('AudioRatio', ratiosOf(stored, 'AudioRatio')),
    ...option('AudioCompletionRatio', ratiosOf(stored, 'AudioCompletionRatio')),
    ...option('ImageRatio', ratiosOf(stored, 'ImageRatio')),
  ]
}

/** Options that `priceOptionsOf` reads. */
export const priceKeys: ReadonlySet<string> = new Set([
  ...['ModelRatio', 'ModelPrice', 'CompletionRatio', 'CacheRatio', 'CreateCacheRatio'],
  ...['AudioRatio', 'AudioCompletionRatio', 'ImageRatio'],
])
