import { type PriceDoubt, type PriceKind, priceKinds, type StoredPrice } from '@tollgate/contract'
import { ownMember } from '@tollgate/contract/own-member'
import { listPriceAt } from '../../billing/book/stored-price.ts'
import { toNumber } from '../../billing/decimal.ts'
import { completeRates } from '../../billing/overrides/rates-of-list.ts'
import { parentOf, type Rates } from '../../billing/price.ts'

/** A price that changes by more than this is held back. */
const largestFactor = 3
/** No tier is further from the usual price than this. */
const largestTier = 20
const isTierFactor = (factor: number): boolean => factor <= largestTier && factor >= 1 / largestTier
/** Dollars per million tokens; no model has cost more or less. */
const dearest = 2000
const cheapest = 0.0005
/** A unit is mistaken by exactly such a factor; floats leave a thousandth of doubt. */
const unitFactors = [1000, 1_000_000]
const isUnitFactor = (factor: number): boolean =>
  unitFactors.some((unit) => Math.abs(Math.max(factor, 1 / factor) / unit - 1) < 0.001)

/** Models that answer without tokens of text. */
const hasNoAnswer =
  /embed|rerank|moderation|guard|whisper|transcri|tts|speech|voice|voxtral|ocr|image|dall-e|video|bge|clip/i

interface Dated {
  readonly named: ReadonlySet<string>
  rate(kind: PriceKind): number | undefined
}

const measures: ReadonlySet<string> = new Set(['request', 'duration', 'characters', 'pages', 'queries', 'picture'])

/** Price of each kind at a moment and for a prompt of this length; a kind without a price has that of its parent. */
const datedAt = (
  stored: StoredPrice | undefined,
  at: number,
  { prompt, tier }: { prompt: number; tier: string },
): Dated | undefined => {
  const price = stored && listPriceAt(stored, '', at)
  if (price === undefined) return undefined
  const inTier = price.inTiers === undefined ? undefined : ownMember(price.inTiers, tier)
  const list = {
    ...(price.contexts?.findLast(({ above }) => prompt > above)?.rates ?? price.rates),
    ...inTier?.rates,
    ...inTier?.contexts?.findLast(({ above }) => prompt > above)?.rates,
  }
  const rates: Rates = completeRates(list)
  return {
    named: new Set(Object.keys(list)),
    rate(kind) {
      const parent = ownMember(parentOf, kind)
      const rate = rates[kind] ?? (parent === undefined ? undefined : rates[parent])
      return rate === undefined ? undefined : toNumber(rate)
    },
  }
}

const changeDoubt = (kind: PriceKind, old: number, now: number): PriceDoubt | undefined => {
  if (old === now) return undefined
  if (old === 0) return { kind, reason: 'from_zero' }
  if (now === 0) return { kind, reason: 'to_zero' }
  const factor = Number((now / old).toPrecision(6))
  if (isUnitFactor(factor)) return { kind, reason: 'unit', factor }
  return factor > largestFactor || factor < 1 / largestFactor ? { kind, reason: 'jump', factor } : undefined
}

const isImplausible = (rate: number): boolean => rate > dearest || (rate > 0 && rate < cheapest)

/** Doubts about a price by itself. */
const ownDoubts = (model: string, now: Dated): PriceDoubt[] => {
  const doubts: PriceDoubt[] = []
  if (now.named.has('input') && !now.named.has('output') && !hasNoAnswer.test(model))
    doubts.push({ kind: 'output', reason: 'no_output' })
  for (const kind of priceKinds) {
    if (measures.has(kind) || !now.named.has(kind)) continue
    if (isImplausible(now.rate(kind) ?? 0)) doubts.push({ kind, reason: 'implausible' })
  }
  return doubts
}

const doubtsAt = (model: string, old: Dated | undefined, now: Dated): PriceDoubt[] => {
  if (old === undefined) return ownDoubts(model, now)
  const losesOutput = old.named.has('output') && !now.named.has('output')
  return [
    ...(losesOutput ? [{ kind: 'output', reason: 'no_output' } as const] : []),
    ...priceKinds.flatMap((kind): PriceDoubt[] => {
      if (!old.named.has(kind) && !now.named.has(kind)) return []
      const [before, after] = [old.rate(kind), now.rate(kind)]
      const doubt = changeDoubt(kind, before ?? 0, after ?? 0)
      return doubt === undefined ? [] : [doubt]
    }),
  ]
}

/** Every start date of a price that is still to come. */
const startsOf = (stored: StoredPrice | undefined, now: number): number[] =>
  (stored?.prices ?? []).flatMap(({ from }) => (from === undefined ? [] : [Date.parse(from)])).filter((at) => at > now)

const boundsOf = (stored: StoredPrice | undefined): number[] =>
  (stored?.prices ?? []).flatMap(({ contexts }) => contexts?.map(({ above }) => above + 1) ?? [])

/** Tiers with prices of their own; one that only one of two prices has is compared with the usual price. */
const tiersOf = (stored: StoredPrice | undefined): string[] =>
  (stored?.prices ?? []).flatMap(({ in_tiers }) => Object.keys(in_tiers ?? {}))

/**
 * Why a change of a model's price should be looked at: jumps, mistaken units, prices from or to zero, and prices that lack a part.
 * Looks at the present, at every announced day and at long prompts. Empty for a change that is plausible. `now` is milliseconds since 1970.
 */
export const doubtsOf = (
  before: StoredPrice | undefined,
  after: StoredPrice | undefined,
  now: number,
): PriceDoubt[] => {
  if (after === undefined) return before === undefined ? [] : [{ kind: 'input', reason: 'gone' }]
  const moments = new Set([now, ...startsOf(before, now), ...startsOf(after, now)])
  const prompts = new Set([0, ...boundsOf(before), ...boundsOf(after)])
  const tiers = new Set(['', ...tiersOf(before), ...tiersOf(after)])
  const found = new Map<string, PriceDoubt>()
  for (const at of moments) {
    for (const prompt of prompts)
      for (const tier of tiers) {
        const [old, next] = [datedAt(before, at, { prompt, tier }), datedAt(after, at, { prompt, tier })]
        if (next === undefined) continue
        const isNew = tier !== '' && !tiersOf(before).includes(tier)
        for (const doubt of doubtsAt(after.model, old, next)) {
          // Compared with the usual price: a tier of its own may well be several times as dear.
          if (isNew && doubt.reason === 'jump' && isTierFactor(doubt.factor ?? 1)) continue
          const key = `${doubt.kind} ${doubt.reason}`
          if (!found.has(key)) found.set(key, doubt)
        }
      }
  }
  return [...found.values()]
}
