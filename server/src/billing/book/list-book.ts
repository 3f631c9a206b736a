import { memoize } from '../../lib/memoize.ts'
import type { CatalogueModel, CatalogueProvider } from './catalogue.ts'
import type { ListBook, ListPrice } from './list-price.ts'
import { type NamedModel, readingsOf } from './model-names.ts'

/**
 * Providers that are asked for a bare name which no provider owns, those who made the models first. Resellers of the rest of the
 * catalogue are asked only where a name says so.
 */
const askedForBareNames = [
  'openai',
  'anthropic',
  'google',
  'x-ai',
  'deepseek',
  'mistral',
  'cohere',
  'moonshotai',
  'zai',
  'zhipuai',
  'minimax',
  'perplexity',
  'voyageai',
  'groq',
  'cerebras',
  'together',
  'fireworks',
  'novita',
  'cloudflare',
]

/** A source of prices; sources are asked in order. */
export interface PriceSource {
  /** The model that one reading of a name means. */
  lookUp(named: NamedModel): { at(moment: number): ListPrice | undefined } | undefined
}

/** The same date as `-20250929` and `-2025-09-29`. */
const compactDate = /-(20\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?=-|:|$)/g
const withDashes = (name: string): string => name.replace(compactDate, '-$1-$2-$3')

const modelIn = (provider: CatalogueProvider | undefined, id: string): CatalogueModel | undefined => {
  const dashed = withDashes(id)
  return (
    provider?.models.find((model) => model.matches(id)) ??
    (dashed === id ? undefined : provider?.models.find((model) => model.matches(dashed)))
  )
}

/** The catalogue as a source: a named provider, else the owner of the name, else the makers and large hosts in order. */
export const catalogueSource = (providers: readonly CatalogueProvider[]): PriceSource => {
  const byId = new Map(providers.map((provider) => [provider.id, provider]))
  const asked = askedForBareNames.flatMap((id) => byId.get(id) ?? [])
  return {
    lookUp({ id, provider }) {
      if (provider !== undefined) return modelIn(byId.get(provider), id)
      const owner = providers.find((entry) => entry.owns(id) && modelIn(entry, id) !== undefined)
      for (const entry of owner === undefined ? asked : [owner, ...asked]) {
        const found = modelIn(entry, id)
        if (found !== undefined) return found
      }
      return undefined
    },
  }
}

const mostNames = 10_000
const longestName = 255

const firstFound = (
  sources: readonly PriceSource[],
  readings: readonly NamedModel[],
): ReturnType<PriceSource['lookUp']> => {
  for (const reading of readings) {
    for (const source of sources) {
      const found = source.lookUp(reading)
      if (found !== undefined) return found
    }
  }
  return undefined
}

/**
 * Looks names up in each reading and source, the most literal reading first; in `last` only what is in no other source under any
 * reading. What a name means is kept; the price is that of the moment.
 */
export const createListBook = (sources: readonly PriceSource[], last: readonly PriceSource[] = []): ListBook => {
  const lookUp = (name: string): ReturnType<PriceSource['lookUp']> => {
    if (name.length > longestName) return undefined
    const readings = readingsOf(name)
    return firstFound(sources, readings) ?? firstFound(last, readings)
  }
  const entryOf = memoize(mostNames, (name) => ({ model: lookUp(name) }))
  return { find: (model, at) => entryOf(model).model?.at(at) }
}
