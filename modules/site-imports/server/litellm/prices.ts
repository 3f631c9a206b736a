import type { MovedOption, OpenSiteParts } from '../site.ts'
import { type SourceModel, upstreamModel } from './channels.ts'

/** Dollars per token as a ratio: 1 is 2 dollars per million tokens. Rounded where doubles leave dust. */
const ratioOf = (dollarsPerToken: number): number => Number((dollarsPerToken * 500_000).toPrecision(15))

const over = (cost: number | undefined, input: number): number | undefined =>
  cost === undefined || input <= 0 ? undefined : Number((cost / input).toPrecision(15))

interface Ratios {
  readonly model: number
  readonly completion?: number | undefined
  readonly cacheRead?: number | undefined
  readonly cacheWrite?: number | undefined
}

/** The price that the operator of the source set. */
const ownPrice = ({ figures }: SourceModel): Ratios | undefined => {
  const { input_cost_per_token: input, output_cost_per_token: output } = figures
  if (input === undefined || input < 0) return undefined
  return {
    model: ratioOf(input),
    completion: over(output, input),
    cacheRead: over(figures.cache_read_input_token_cost, input),
    cacheWrite: over(figures.cache_creation_input_token_cost, input),
  }
}

/** The price of the model behind a name that only the source knows. */
const priceBehind = (models: readonly SourceModel[], { listed }: Pick<OpenSiteParts, 'listed'>) => {
  for (const model of models) {
    for (const name of [model.baseModel, model.params?.model ?? '', upstreamModel(model)]) {
      const price = name === '' ? undefined : listed(name)
      if (price !== undefined) return { name, price }
    }
  }
  return undefined
}

const priceOf = (name: string, models: readonly SourceModel[], parts: OpenSiteParts): Ratios | undefined => {
  const { notes, listed } = parts
  for (const model of models) {
    const price = ownPrice(model)
    if (price !== undefined) return price
  }
  if (listed(name) !== undefined) {
    notes.note('price_by_list', name)
    return undefined
  }
  const behind = priceBehind(models, parts)
  if (behind === undefined) notes.note('price_missing', name)
  else notes.note('price_alias', `${name}: ${behind.name}`)
  return behind?.price
}

/**
 * Prices as options; none where no deployment can be read, so that an import with the right salt key sets them all. Models of whose price nothing is stored cost what the list says of them, or of the model behind the name.
 */
export const litellmPrices = (models: readonly SourceModel[], parts: OpenSiteParts): readonly MovedOption[] => {
  if (models.every(({ params }) => params === undefined)) return []
  const byName = new Map<string, SourceModel[]>()
  for (const model of models) byName.set(model.name, [...(byName.get(model.name) ?? []), model])
  const maps = {
    ModelRatio: new Map<string, number>(),
    CompletionRatio: new Map<string, number>(),
    CacheRatio: new Map<string, number>(),
    CacheWriteRatio: new Map<string, number>(),
  }
  const put = (map: Map<string, number>, name: string, value: number | undefined): void => {
    if (value !== undefined) map.set(name, value)
  }
  for (const [name, own] of byName) {
    const price = name.includes('*') ? undefined : priceOf(name, own, parts)
    if (price === undefined) continue
    put(maps.ModelRatio, name, price.model)
    put(maps.CompletionRatio, name, price.completion)
    put(maps.CacheRatio, name, price.cacheRead)
    put(maps.CacheWriteRatio, name, price.cacheWrite)
  }
  return Object.entries(maps).flatMap(([key, map]): MovedOption[] =>
    map.size === 0 ? [] : [{ key, text: JSON.stringify(Object.fromEntries(map)), made: true }],
  )
}
