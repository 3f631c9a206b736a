import type { DataOf, listUnpricedModels } from '@tollgate/contract'
import type { PriceSource } from '../../billing/book/list-book.ts'
import { datedPriceAt, type ListedModel } from '../../billing/book/stored-price.ts'
import { decimal, divide, toNumber } from '../../billing/decimal.ts'

type Unpriced = DataOf<typeof listUnpricedModels>
type Suggestion = Unpriced[number]['suggestions'][number]

const mostSuggestions = 3
const mostModels = 500

/** Words and numbers of a name: `qwen-2.5-72b-instruct` → qwen, 2, 5, 72b, instruct. */
const namePartsOf = (name: string): string[] =>
  name
    .toLowerCase()
    .slice(name.lastIndexOf('/') + 1)
    .split(/[^a-z0-9]+|(?<=[a-z])(?=\d)/)
    .filter((part) => part !== '')

/** Twice the common words over all words; the first word names the family and must be the same. */
const likeness = (left: readonly string[], right: readonly string[]): number => {
  if (left[0] !== right[0]) return 0
  const rest = [...right]
  const common = left.filter((word) => {
    const at = rest.indexOf(word)
    if (at < 0) return false
    rest.splice(at, 1)
    return true
  }).length
  return (2 * common) / (left.length + right.length)
}

const leastLikeness = 0.5
const dollarsAtRatio1 = decimal(2)
const places = 12

const ratioOf = (rate: string | undefined, base: string): number | undefined =>
  rate === undefined ? undefined : toNumber(divide(decimal(rate), decimal(base), places))

/** Only prices that a ratio can state. */
const suggestionOf = ({ provider, id, stored, version }: ListedModel, at: number): Suggestion | undefined => {
  const price = datedPriceAt(stored, at)
  const input = price?.rates.input
  if (price === undefined || input === undefined || Number(input) === 0) return undefined
  const cache = ratioOf(price.rates.cache_read, input)
  return {
    model: id,
    provider,
    version,
    price,
    ratio: toNumber(divide(decimal(input), dollarsAtRatio1, places)),
    completion_ratio: ratioOf(price.rates.output ?? input, input) ?? 1,
    ...(cache === undefined ? {} : { cache_ratio: cache }),
  }
}

/** Several lists and hosts may know a model; the first one counts for a name. */
const firstOfEachName = (suggestions: readonly Suggestion[]): Suggestion[] => {
  const byName = new Map<string, Suggestion>()
  for (const suggestion of suggestions) {
    const name = suggestion.model.toLowerCase()
    if (!byName.has(name)) byName.set(name, suggestion)
  }
  return [...byName.values()]
}

/** Models without a price, each with the models of the lists whose names are the most like theirs. */
export const modelsWithSimilarNames = (models: readonly string[], source: PriceSource, at: number): Unpriced => {
  const known = source.models().map((model) => ({ model, words: namePartsOf(model.id) }))
  return models.slice(0, mostModels).map((name) => {
    const words = namePartsOf(name)
    const suggestions = known
      .map(({ model, words: others }) => ({ model, like: likeness(words, others) }))
      .filter(({ like }) => like >= leastLikeness)
      .sort((a, b) => b.like - a.like)
      .slice(0, mostSuggestions * 10)
      .flatMap(({ model }) => suggestionOf(model, at) ?? [])
    return { model: name, suggestions: firstOfEachName(suggestions).slice(0, mostSuggestions) }
  })
}
