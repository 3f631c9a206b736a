import { decimal, divide, multiply, zero } from '../decimal.ts'
import type { ContextTier, Decimal, MeasureKind, Rates } from '../price.ts'
import type { FiguresByName } from '../price-settings.ts'
import type { Priced } from './override.ts'

/** Measure and number of pieces for each key of the option MeasurePrices. */
const measures: ReadonlyMap<string, { readonly kind: MeasureKind; readonly pieces: number }> = new Map([
  ['minute', { kind: 'duration', pieces: 60_000 }],
  ['million_characters', { kind: 'characters', pieces: 1_000_000 }],
  ['page', { kind: 'pages', pieces: 1 }],
  ['query', { kind: 'queries', pieces: 1 }],
  ['picture', { kind: 'picture', pieces: 1 }],
  ['request', { kind: 'request', pieces: 1 }],
])

const million = decimal(1_000_000)
/** Enough for a minute's price by the millisecond. */
const places = 18

const noTokens: Rates = {
  input: zero,
  cache_read: zero,
  cache_write: zero,
  cache_write_1h: zero,
  audio_input: zero,
  output: zero,
  audio_output: zero,
}

const mapRates = (rates: Rates, change: (rate: Decimal, kind: string) => Decimal): Rates => {
  const entries = Object.entries<Decimal | undefined>(rates)
  const changed = entries.flatMap(([kind, rate]) => (rate === undefined ? [] : [[kind, change(rate, kind)]]))
  // The same kinds as before.
  return Object.fromEntries(changed) as unknown as Rates
}

/** The same price in dollars per million; measures have no ratio to a prompt token. */
const inDollars = (priced: Priced, quotaPerUnit: number): Priced => {
  if (priced.basis === 'dollars') return priced
  const factor = divide(multiply(priced.unit, million), decimal(quotaPerUnit), places)
  const { contexts } = priced
  const dollars = (rates: Rates): Rates => mapRates(rates, (rate) => multiply(rate, factor))
  return {
    ...priced,
    basis: 'dollars',
    unit: multiply(decimal(quotaPerUnit), { digits: 1n, scale: 6 }),
    rates: dollars(priced.rates),
    ...(contexts === undefined
      ? {}
      : { contexts: contexts.map(({ above, rates }) => ({ above, rates: dollars(rates) })) }),
  }
}

/** The price with what the option MeasurePrices names for the model, in dollars; `priced` is undefined for a model with nothing else. */
export const withMeasures = (priced: Priced | undefined, figures: FiguresByName, quotaPerUnit: number): Priced => {
  const base = inDollars(priced ?? { basis: 'ratio', unit: decimal(1), rates: noTokens }, quotaPerUnit)
  const more: { [K in MeasureKind]?: Decimal } = {}
  for (const [name, dollars] of Object.entries(figures)) {
    const measure = measures.get(name)
    if (measure !== undefined)
      more[measure.kind] = divide(multiply(decimal(dollars), million), decimal(measure.pieces), places)
  }
  const add = (rates: Rates): Rates => ({ ...rates, ...more })
  const { contexts, pictures: _, videos: __, ...rest } = base
  return {
    ...rest,
    // The operator's price of a picture takes the place of a list's by size.
    ...(base.pictures !== undefined && more.picture === undefined ? { pictures: base.pictures } : {}),
    // So does that of a minute.
    ...(base.videos !== undefined && more.duration === undefined ? { videos: base.videos } : {}),
    version: 'operator',
    rates: add(base.rates),
    ...(contexts === undefined ? {} : { contexts: contexts.map(({ above, rates }) => ({ above, rates: add(rates) })) }),
  }
}

const completionKinds: ReadonlySet<string> = new Set([
  'output',
  'audio_output',
  'reasoning',
  'image_output',
  'video_output',
])

/**
 * The price with the operator's factors for long prompts in place of a list's: `prompts` and `completions` hold, by the number of prompt
 * tokens above which they count, the factor of what is sent and of what is written.
 */
export const withLongContexts = (
  priced: Priced,
  prompts: FiguresByName | undefined,
  completions: FiguresByName | undefined,
): Priced => {
  const names = [...new Set([...Object.keys(prompts ?? {}), ...Object.keys(completions ?? {})])]
  const lengths = names.map(Number).filter((above) => Number.isSafeInteger(above) && above > 0)
  if (lengths.length === 0) return priced
  const factorOf = (figures: FiguresByName | undefined, above: number): Decimal =>
    decimal(new Map(Object.entries(figures ?? {})).get(String(above)) ?? 1)
  const contexts = lengths
    .sort((a, b) => a - b)
    .map((above): ContextTier => {
      const [sent, written] = [factorOf(prompts, above), factorOf(completions, above)]
      const rates = mapRates(priced.rates, (rate, kind) => multiply(rate, completionKinds.has(kind) ? written : sent))
      return { above, rates }
    })
  return { ...priced, contexts, version: 'operator' }
}
