import type { CompletionRule, PricingItem } from '../../../lib/api/contract.ts'
import { quotaType } from '../../../lib/api/contract.ts'
import { priceOfRatio, ratioOfPrice, relativeOfPrice, relativePrice, rescaled } from './prices-convert.ts'
import { isSameParts, isTier, type ModelParts, type PartChanges, type PriceMaps, type TierPart } from './prices-maps.ts'

/** One model of the editor: the parts of its price as they are drafted. */
export interface EditedPrice {
  readonly name: string
  readonly parts: ModelParts
  /** The completion ratio of the price lists; undefined while it is loading. */
  readonly rule: CompletionRule | undefined
  /** Present price of the model; undefined if it has none or is not served. */
  readonly inForce: PricingItem | undefined
  /** The parts that are in force. */
  readonly stored: ModelParts
  readonly changed: boolean
  /** True if an enabled channel serves it. */
  readonly served: boolean
}

export type RowMode = 'usage' | 'call' | 'list' | 'none'

/** How a model is billed: by the ratio or price that is set, by a price list, or not at all. */
export const modeOf = (row: EditedPrice): RowMode => {
  if (row.parts.price !== undefined) return 'call'
  if (row.parts.ratio !== undefined) return 'usage'
  return listedRatio(row) === undefined ? 'none' : 'list'
}

/** The model ratio that a price list comes to, where neither a ratio nor a price is set. */
const listedRatio = ({ parts, inForce, stored }: EditedPrice): number | undefined => {
  const isSet = [parts, stored].some(({ price, ratio }) => price !== undefined || ratio !== undefined)
  return !isSet && inForce?.quota_type === quotaType.usage ? inForce.model_ratio : undefined
}

/** A figure in force that nothing sets: it comes from a price list. */
const fromList = (
  { inForce, stored }: EditedPrice,
  part: 'cache' | 'audio' | 'audioCompletion',
): number | undefined => {
  if (inForce === undefined || stored[part] !== undefined) return undefined
  const { cache_ratio: cache, audio_ratio: audio, audio_completion_ratio: audioCompletion } = inForce
  return { cache, audio, audioCompletion }[part]
}

/** The model ratio that counts. */
export const ratioOf = (row: EditedPrice): number | undefined => row.parts.ratio ?? listedRatio(row)

interface RowFacts {
  readonly maps: PriceMaps
  readonly rules: ReadonlyMap<string, CompletionRule>
  readonly served: ReadonlySet<string>
  readonly inForce: ReadonlyMap<string, PricingItem>
}

export const priceRow = (name: string, { maps, rules, served, inForce }: RowFacts): EditedPrice => {
  const [parts, stored] = [maps.of(name), maps.stored(name)]
  return {
    stored,
    name,
    parts,
    rule: rules.get(name),
    inForce: inForce.get(name),
    changed: !isSameParts(parts, stored),
    served: served.has(name),
  }
}

/** The completion ratio that counts. */
export const completionOf = ({ parts, rule }: EditedPrice): number => parts.completion ?? rule?.value ?? 1

const defaultCache = 1
const defaultAudio = 1

/** The ratio of cached input that counts. */
export const cacheOf = (row: EditedPrice): number => row.parts.cache ?? fromList(row, 'cache') ?? defaultCache

/** The ratio of audio input that counts. */
export const audioOf = (row: EditedPrice): number => row.parts.audio ?? fromList(row, 'audio') ?? defaultAudio

/** The ratio of audio output to audio input that counts: where none is set, the dearer of audio input and text output. */
export const audioCompletionOf = (row: EditedPrice): number => {
  const { audioCompletion } = row.parts
  if (audioCompletion !== undefined) return audioCompletion
  const listed = fromList(row, 'audioCompletion')
  if (listed !== undefined && row.parts.audio === undefined) return listed
  const audio = audioOf(row)
  return audio === 0 ? 1 : Math.max(1, completionOf(row) / audio)
}

/** Figures that are factors of the input price, and are edited as prices. */
export type FactorPart = 'cacheWrite' | 'cacheWrite1h' | TierPart

/** The factor that is in force where none is drafted. */
const usualFactor = ({ inForce }: EditedPrice, part: FactorPart): number | undefined => {
  if (isTier(part)) return inForce?.tiers?.[part] ?? 1
  const write = inForce?.cache_creation_ratio
  return part === 'cacheWrite' ? write : (inForce?.cache_creation_1h_ratio ?? write)
}

/**
 * A factor, and the one in force, as texts for a field: as they are, or as currency per million tokens of input; empty where the model has no
 * input price to relate to.
 */
export const factorTexts = (
  row: EditedPrice,
  part: FactorPart,
  perUnit: number | undefined,
): { readonly value: string; readonly placeholder: string } => {
  const ratio = ratioOf(row)
  const textOf = (factor: number | undefined): string => {
    if (factor === undefined) return ''
    if (perUnit === undefined) return String(factor)
    return ratio === undefined ? '' : relativePrice(ratio, factor, perUnit)
  }
  return { value: textOf(row.parts[part]), placeholder: textOf(usualFactor(row, part)) }
}

type ShownPrices = Readonly<Record<'input' | 'output' | 'cache' | 'audio' | 'audioCompletion', string>>

const noPrices: ShownPrices = { input: '', output: '', cache: '', audio: '', audioCompletion: '' }

/** Currency per million tokens, as text for the fields; empty without a ratio. */
export const pricesOf = (row: EditedPrice, perUnit: number): ShownPrices => {
  const ratio = ratioOf(row)
  if (ratio === undefined) return noPrices
  return {
    input: priceOfRatio(ratio, perUnit),
    output: relativePrice(ratio, completionOf(row), perUnit),
    cache: relativePrice(ratio, cacheOf(row), perUnit),
    audio: relativePrice(ratio, audioOf(row), perUnit),
    audioCompletion: relativePrice(ratio * audioOf(row), audioCompletionOf(row), perUnit),
  }
}

/** The relative ratios that keep the other prices where they are when the input price changes. */
const keptRelatives = (row: EditedPrice, ratio: number): PartChanges => {
  const { parts } = row
  const before = parts.ratio
  if (before === undefined || before === 0 || ratio === 0) return {}
  const completion = parts.completion === undefined ? undefined : rescaled(parts.completion, before, ratio)
  const cache = parts.cache === undefined ? undefined : rescaled(parts.cache, before, ratio)
  const audio = parts.audio === undefined ? undefined : rescaled(parts.audio, before, ratio)
  const write = parts.cacheWrite === undefined ? undefined : rescaled(parts.cacheWrite, before, ratio)
  const longWrite = parts.cacheWrite1h === undefined ? undefined : rescaled(parts.cacheWrite1h, before, ratio)
  return {
    ...(completion === undefined ? {} : { completion }),
    ...(cache === undefined ? {} : { cache }),
    ...(audio === undefined ? {} : { audio }),
    ...(write === undefined ? {} : { cacheWrite: write }),
    ...(longWrite === undefined ? {} : { cacheWrite1h: longWrite }),
  }
}

/** Sets the input price; other prices that are set keep their value. A service tier stays the same factor of all of them. */
export const withInputPrice = (row: EditedPrice, price: number | null, perUnit: number): PartChanges => {
  if (price === null) return { ratio: null }
  const ratio = ratioOfPrice(price, perUnit)
  return { ratio, ...keptRelatives(row, ratio) }
}

/** Sets the audio input price; an audio output price that is set keeps its value. */
export const withAudioPrice = (row: EditedPrice, price: number | null, perUnit: number): PartChanges | undefined => {
  const changes = withRelativePrice(row, 'audio', price, perUnit)
  const { audioCompletion } = row.parts
  const [before, after] = [audioOf(row), changes?.audio ?? fromList(row, 'audio') ?? defaultAudio]
  if (changes === undefined || audioCompletion === undefined || before === 0 || after === 0) return changes
  return { ...changes, audioCompletion: rescaled(audioCompletion, before, after) }
}

/** The part that a price of audio output makes; undefined without a price of audio input to relate to. */
export const withAudioOutputPrice = (
  row: EditedPrice,
  price: number | null,
  perUnit: number,
): PartChanges | undefined => {
  if (price === null) return { audioCompletion: null }
  const ratio = ratioOf(row)
  const relative = ratio === undefined ? undefined : relativeOfPrice(price, ratio * audioOf(row), perUnit)
  return relative === undefined ? undefined : { audioCompletion: relative }
}

/** The part that a price beside that of input makes, of a tier the one of its input; undefined without an input price to relate to. */
export const withRelativePrice = (
  row: EditedPrice,
  part: 'completion' | 'cache' | 'audio' | FactorPart,
  price: number | null,
  perUnit: number,
): PartChanges | undefined => {
  if (price === null) return { [part]: null }
  const ratio = ratioOf(row)
  const relative = ratio === undefined ? undefined : relativeOfPrice(price, ratio, perUnit)
  return relative === undefined ? undefined : { [part]: relative }
}
