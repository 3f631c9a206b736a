import { memoize } from '../../lib/memoize.ts'
import { onFirstUse } from '../../lib/on-first-use.ts'
import type { CatalogueModel, CatalogueProvider } from './catalogue.ts'
import type { ListBook } from './list-price.ts'
import { type NamedModel, readingsOf } from './model-names.ts'
import { newestModels } from './newest-model.ts'
import type { ListedModel } from './stored-price.ts'

/** Providers for a bare model name that no provider owns, makers of models first. Resellers are used only for names that say so. */
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

/** A source of prices. */
export interface PriceSource {
  /** The model that one reading of a name means. */
  lookUp(named: NamedModel): ListedModel | undefined
  /** Used only for names that `lookUp` does not find under any reading. */
  readonly last?: PriceSource | undefined
  /** Every model that it prices, those of `last` included. */
  models(): readonly ListedModel[]
}

/** A source that is built on first use. */
export const lazySource = (make: () => PriceSource): PriceSource => {
  const source = onFirstUse(make)
  return {
    lookUp: (named) => source().lookUp(named),
    get last() {
      return source().last
    },
    models: () => source().models(),
  }
}

/** Several sources as one: the first that knows a reading counts. */
export const joinSources = (sources: readonly PriceSource[], last?: PriceSource): PriceSource => ({
  lookUp(named) {
    for (const source of sources) {
      const found = source.lookUp(named)
      if (found !== undefined) return found
    }
    return undefined
  },
  ...(last === undefined ? {} : { last }),
  models: () => [...sources, ...(last === undefined ? [] : [last])].flatMap((source) => source.models()),
})

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
    models: () => providers.flatMap(({ models }) => models),
  }
}

const mostNames = 10_000
const longestName = 255

/** A resolved model name: the spelling that matched, and the model. */
export interface ResolvedName {
  readonly named: NamedModel
  readonly model: ListedModel
}

/** Looks a name up in each reading, the most literal first; then in the last source. */
export const resolveName = (source: PriceSource, name: string): ResolvedName | undefined => {
  if (name.length > longestName) return undefined
  for (const named of readingsOf(name)) {
    const model = source.lookUp(named)
    if (model !== undefined) return { named, model }
  }
  return source.last && resolveName(source.last, name)
}

/** Every model's id, once. */
export const idsOf = (source: PriceSource): readonly string[] => [...new Set(source.models().map(({ id }) => id))]

/** Looks names up in each reading and source, the most literal reading first. The model of a name is cached; the price depends on the moment. */
export const createListBook = (sources: readonly PriceSource[]): ListBook => {
  const source = sources.length === 1 && sources[0] !== undefined ? sources[0] : joinSources(sources)
  const entryOf = memoize(mostNames, (name) => ({ model: resolveName(source, name)?.model }))
  const ids = onFirstUse(() => idsOf(source))
  const newest = newestModels(source)
  return {
    find: (model, at) => entryOf(model).model?.at(at),
    names: ids,
    newest: (model, at) => newest(model, at)?.at(at),
  }
}
