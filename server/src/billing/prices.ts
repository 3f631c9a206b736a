import { type BoundedCache, createBoundedCache } from '../lib/caches/bounded-cache.ts'
import { memoize } from '../lib/memoize.ts'
import { onFirstUse } from '../lib/on-first-use.ts'
import { emptyListBook, type ListPrice } from './book/list-price.ts'
import { idsIn } from './book/model-names.ts'
import { decimal, divide, toNumber } from './decimal.ts'
import { type Declarations, noPrice } from './declared/declarations.ts'
import { familyOf, makerOf } from './declared/families.ts'
import { keepOtherPrices, type OtherPrices } from './named-models/other-prices.ts'
import { keyedFigures } from './overrides/keyed-figures.ts'
import { withLongContexts, withMeasures } from './overrides/operator-measures.ts'
import { dollarPrice, type Priced, ratioPrice } from './overrides/override.ts'
import { tiersAt, usualTiers } from './overrides/tier-rates.ts'
import type { Decimal, Price } from './price.ts'
import { type FiguresByName, figure, type PriceSettings } from './price-settings.ts'
import { routedModel } from './routed-model.ts'

export interface PriceBook {
  /**
   * undefined when the model has no price and may not be called. `at` is milliseconds since 1970, now when absent; with `known`, what
   * the lists of that moment say of the moment `at`.
   */
  of(model: string, group: string, more: { acceptsUnpriced: boolean; at?: number; known?: number }): Price | undefined
  /** Milliseconds since 1970 until which the present price of a model stands in this book; Infinity for nearly all. */
  until(model: string, group: string): number
  /** True if the operator or a price list has a price for the model; 0 counts as one. */
  isPriced(model: string): boolean
  /** True if sound in prompts or answers has a price of its own. */
  hasSoundRatio(model: string): boolean
  /** True if sound in answers has a price of its own. */
  hasSpokenRatio(model: string): boolean
}

/** A price, with `priced` false where only users who accept unpriced models may call it, and the moment when it expires (ms since 1970). */
interface CachedPrice {
  readonly price: Price
  readonly priced: boolean
  readonly until: number
}

/** The figures of a price as logs and the pricing page show them. */
export interface Ratios {
  readonly model_ratio: number
  readonly completion_ratio: number
  readonly group_ratio: number
  /** -1 when billed by tokens. */
  readonly model_price: number
  readonly cache_ratio: number
  readonly cache_creation_ratio: number
  readonly audio_ratio: number
  readonly audio_completion_ratio: number
}

const mostCached = 10_000
/** Most cached models of a group. Callers choose the names, so the number must be limited. */
const mostOfGroup = 2_000
const mostGroups = 100
const noDeclarations: Declarations = {}

/** The option's figures over those of a list; undefined where both are empty. */
const merged = (listed: FiguresByName | undefined, configured: FiguresByName | undefined): FiguresByName | undefined =>
  listed === undefined ? configured : { ...listed, ...configured }

/** Figures of a name as it is written and, beneath them, of the model that the lists take it for: `openai/gpt-5.4` is `gpt-5.4`. */
const ofName = (
  figuresOf: (name: string) => FiguresByName | undefined,
  model: string,
  found: ListPrice | undefined,
): FiguresByName | undefined =>
  found === undefined || found.model === model ? figuresOf(model) : merged(figuresOf(found.model), figuresOf(model))

/**
 * Prices of all models in all groups: the operator's fixed price, else the operator's ratio, else the price lists.
 * Create a new book when an option or a list changes.
 */
export const createPriceBook = (settings: PriceSettings): PriceBook => {
  /** Group → model → price. Two maps, because joining the names into one key costs more than both look-ups. */
  const cache = createBoundedCache<string, BoundedCache<string, CachedPrice>>({ entries: mostGroups })
  const { list = emptyListBook, declared = noDeclarations } = settings
  const hasDeclared = Object.keys(declared).length > 0
  const configuredTools = keyedFigures(settings.toolPrices ?? {})
  const configuredTiers = keyedFigures(settings.tierRatios ?? {})
  const measuresOf = keyedFigures(settings.measurePrices ?? {})
  const longPromptsOf = keyedFigures(settings.longPromptRatio ?? {})
  const longCompletionsOf = keyedFigures(settings.longCompletionRatio ?? {})
  const listed = (model: string, at: number): ListPrice | undefined => list.find(routedModel(model), at)
  /** Tool prices of the upstream model: the operator's, then those of the list. */
  const toolsOf = (model: string): FiguresByName | undefined =>
    merged(list.find(model, Date.now())?.tools, configuredTools(model))

  const hasRatio = (name: string): boolean =>
    figure(settings.modelPrice, name) !== undefined || figure(settings.modelRatio, name) !== undefined

  const isConfigured = (name: string): boolean => hasRatio(name) || measuresOf(name) !== undefined

  /** Adds the operator's prices of measures and long prompts. A model that is priced by measures alone has no token price. */
  const withOperatorTerms = (name: string, priced: Priced, byTokens: boolean): Priced => {
    const figures = measuresOf(name)
    const measured =
      figures === undefined ? priced : withMeasures(byTokens ? priced : undefined, figures, settings.quotaPerUnit)
    return withLongContexts(measured, longPromptsOf(name), longCompletionsOf(name))
  }

  /** The name by which the operator has a price for a model that a provider names. */
  const configuredName = memoize(mostCached, (model) => ({
    name: isConfigured(routedModel(model)) ? model : idsIn(model).find(isConfigured),
  }))
  const pricedName = (model: string): string | undefined =>
    configuredName(model).name ?? (listed(model, Date.now()) === undefined ? undefined : model)

  /** All models with a price, by their maker. */
  const byMaker = onFirstUse(() => {
    const names = new Set([
      ...(list.names?.(Date.now()) ?? []),
      ...Object.keys(settings.modelRatio),
      ...Object.keys(settings.modelPrice),
    ])
    const makers = new Map<string, string[]>()
    for (const name of names) {
      const maker = makerOf(name)
      makers.set(maker, [...(makers.get(maker) ?? []), name])
    }
    return makers
  })

  const othersIn = memoize(
    mostCached,
    (group): OtherPrices => ({
      toolsOf,
      priceOf: (model) => {
        const name = pricedName(model)
        return name === undefined ? undefined : current(name, group).price
      },
      // A listed id that is no model by itself has no price, or only one borrowed from another model.
      ofMaker: (model) =>
        (byMaker().get(makerOf(model)) ?? [])
          .map((name) => current(name, group))
          .flatMap(({ price, priced }) => (priced && price.provisional === undefined ? [price] : [])),
    }),
  )

  /** Provisional list price of a model without a price. */
  const stoodInFor = (name: string, at: number): ListPrice | undefined =>
    settings.provisionalModels === true && !isConfigured(name) ? list.newest?.(name, at) : undefined

  const priceAt = (model: string, group: string, { at, known }: { at: number; known?: number }): CachedPrice => {
    const name = routedModel(model)
    const named = known === undefined ? listed(model, at) : list.findKnown?.(name, at, known)
    const other = named === undefined ? stoodInFor(name, at) : undefined
    const found = named ?? other
    const perCall = figure(settings.modelPrice, name)
    const of = { model, name, settings, listed: found }
    const byRatio = hasRatio(name) || found === undefined
    const priced = byRatio ? ratioPrice(of) : dollarPrice(of, found)
    const rates = withOperatorTerms(name, priced, hasRatio(name) || found !== undefined)
    const tools = merged(found?.tools, configuredTools(model))
    const tiers = tiersAt(found, {
      configured: ofName(configuredTiers, model, found),
      usual: ofName(usualTiers, model, found),
      rates,
      price: byRatio ? undefined : (inTier) => withOperatorTerms(name, dollarPrice(of, inTier), true),
    })
    const price: Price = {
      model,
      group,
      perCall: perCall === undefined ? undefined : decimal(perCall),
      ...rates,
      groupRatio: decimal(figure(settings.groupRatio, group) ?? 1),
      quotaPerUnit: decimal(settings.quotaPerUnit),
      ...tiers,
      ...(tools === undefined ? {} : { tools }),
      ...(other === undefined
        ? {}
        : { provisional: noPrice(model, { maker: familyOf(name), chargedAs: other.model }) }),
      ...(hasDeclared ? { declared } : {}),
    }
    const mayBeCalled = isConfigured(name) || found !== undefined
    return {
      price: keepOtherPrices(price, othersIn(group)),
      priced: mayBeCalled,
      until: found?.until ?? Number.POSITIVE_INFINITY,
    }
  }

  const cachePrice = (model: string, group: string, at: number): CachedPrice => {
    const entry = priceAt(model, group, { at })
    const known = cache.get(group)
    const ofGroup = known ?? createBoundedCache<string, CachedPrice>({ entries: mostOfGroup })
    ofGroup.set(model, entry)
    if (known === undefined) cache.set(group, ofGroup)
    return entry
  }

  const current = (model: string, group: string): CachedPrice => {
    const cached = cache.get(group)?.get(model)
    if (cached === undefined) return cachePrice(model, group, Date.now())
    // Almost no price changes by the hour: the clock is read only for those that do.
    return cached.until === Number.POSITIVE_INFINITY || Date.now() < cached.until
      ? cached
      : cachePrice(model, group, Date.now())
  }

  const ratesOf = memoize(mostCached, (model) => priceAt(model, '', { at: Date.now() }).price.rates)
  const speaks = (model: string): boolean => {
    const { audio_output, audio_input, output } = ratesOf(model)
    return figure(settings.audioCompletionRatio, model) !== undefined || isOwn(audio_output, audio_input, output)
  }
  const listens = (model: string): boolean => {
    const { audio_input, input } = ratesOf(model)
    return figure(settings.audioRatio, model) !== undefined || isOwn(audio_input, input)
  }

  return {
    isPriced: (model) => isConfigured(routedModel(model)) || listed(model, Date.now()) !== undefined,
    until: (model, group) => current(model, group).until,
    hasSoundRatio: (model) => listens(model) || speaks(model),
    hasSpokenRatio: speaks,
    of: (model, group, { acceptsUnpriced, at, known }) => {
      const moment = known === undefined ? { at: at ?? 0 } : { at: at ?? known, known }
      const { price, priced } =
        at === undefined && known === undefined ? current(model, group) : priceAt(model, group, moment)
      return settings.selfUse || acceptsUnpriced || priced ? price : undefined
    },
  }
}

/** True if a rate is none of those that it would have by default. */
const isOwn = (rate: Decimal, ...others: readonly Decimal[]): boolean =>
  others.every((other) => toNumber(rate) !== toNumber(other))

/** Rounded to fifteen digits, so that 16 is not 15.999999999999998. */
const over = (rate: Decimal, base: Decimal, fallback: number): number =>
  base.digits === 0n ? fallback : Number(toNumber(divide(rate, base, 20)).toPrecision(15))

/**
 * The figures of a price as numbers in ratios, for log rows and the pricing page, whatever the price is kept in. A model whose prompt
 * is free has completion ratio 1.
 */
export const ratiosOf = (price: Price): Ratios => {
  const { rates, unit, perCall } = price
  return {
    model_ratio: Number((toNumber(unit) * toNumber(rates.input)).toPrecision(15)),
    completion_ratio: over(rates.output, rates.input, 1),
    group_ratio: toNumber(price.groupRatio),
    model_price: perCall === undefined ? -1 : toNumber(perCall),
    cache_ratio: over(rates.cache_read, rates.input, 1),
    cache_creation_ratio: over(rates.cache_write, rates.input, 1),
    audio_ratio: over(rates.audio_input, rates.input, 1),
    audio_completion_ratio: over(rates.audio_output, rates.audio_input, 1),
  }
}
