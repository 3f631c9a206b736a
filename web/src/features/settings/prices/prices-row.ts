import type { CompletionRule } from '../../../lib/api/contract.ts'
import { priceOfRatio, ratioOfPrice, relativeOfPrice, relativePrice, rescaled } from './prices-convert.ts'
import { isSameParts, type ModelParts, type PartChanges, type PriceMaps } from './prices-maps.ts'

/** One model of the editor: the parts of its price as they are drafted. */
export interface PriceRow {
  readonly name: string
  readonly parts: ModelParts
  /** The built-in completion ratio; undefined while it is loading. */
  readonly rule: CompletionRule | undefined
  readonly changed: boolean
  /** True if an enabled channel serves it. */
  readonly served: boolean
}

export type RowMode = 'usage' | 'call' | 'none'

export const modeOf = ({ parts }: PriceRow): RowMode =>
  parts.price !== undefined ? 'call' : parts.ratio !== undefined ? 'usage' : 'none'

interface RowFacts {
  readonly maps: PriceMaps
  readonly rules: ReadonlyMap<string, CompletionRule>
  readonly served: ReadonlySet<string>
}

export const priceRow = (name: string, { maps, rules, served }: RowFacts): PriceRow => {
  const parts = maps.of(name)
  return {
    name,
    parts,
    rule: rules.get(name),
    changed: !isSameParts(parts, maps.stored(name)),
    served: served.has(name),
  }
}

/** The completion ratio that counts. */
export const completionOf = ({ parts, rule }: PriceRow): number =>
  rule?.locked ? rule.value : (parts.completion ?? rule?.value ?? 1)

const defaultCache = 1
const defaultAudio = 1

/** The ratio of audio input that counts. */
export const audioOf = ({ parts }: PriceRow): number => parts.audio ?? defaultAudio

/** The ratio of audio output to audio input that counts: where none is set, the dearer of audio input and text output. */
export const audioCompletionOf = (row: PriceRow): number => {
  const { audioCompletion } = row.parts
  if (audioCompletion !== undefined) return audioCompletion
  const audio = audioOf(row)
  return audio === 0 ? 1 : Math.max(1, completionOf(row) / audio)
}

type ShownPrices = Readonly<Record<'input' | 'output' | 'cache' | 'audio' | 'audioCompletion', string>>

const noPrices: ShownPrices = { input: '', output: '', cache: '', audio: '', audioCompletion: '' }

/** Currency per million tokens, as text for the fields; empty without a ratio. */
export const pricesOf = (row: PriceRow, perUnit: number): ShownPrices => {
  const { ratio, cache } = row.parts
  if (ratio === undefined) return noPrices
  return {
    input: priceOfRatio(ratio, perUnit),
    output: relativePrice(ratio, completionOf(row), perUnit),
    cache: relativePrice(ratio, cache ?? defaultCache, perUnit),
    audio: relativePrice(ratio, audioOf(row), perUnit),
    audioCompletion: relativePrice(ratio * audioOf(row), audioCompletionOf(row), perUnit),
  }
}

/** The relative ratios that keep the other prices where they are when the input price changes. */
const keptRelatives = (row: PriceRow, ratio: number): PartChanges => {
  const { parts, rule } = row
  const before = parts.ratio
  if (before === undefined || before === 0 || ratio === 0) return {}
  const completion =
    parts.completion === undefined || rule?.locked ? undefined : rescaled(parts.completion, before, ratio)
  const cache = parts.cache === undefined ? undefined : rescaled(parts.cache, before, ratio)
  const audio = parts.audio === undefined ? undefined : rescaled(parts.audio, before, ratio)
  return {
    ...(completion === undefined ? {} : { completion }),
    ...(cache === undefined ? {} : { cache }),
    ...(audio === undefined ? {} : { audio }),
  }
}

/** Sets the input price; other prices that are set keep their value. */
export const withInputPrice = (row: PriceRow, price: number | null, perUnit: number): PartChanges => {
  if (price === null) return { ratio: null }
  const ratio = ratioOfPrice(price, perUnit)
  return { ratio, ...keptRelatives(row, ratio) }
}

/** Sets the audio input price; an audio output price that is set keeps its value. */
export const withAudioPrice = (row: PriceRow, price: number | null, perUnit: number): PartChanges | undefined => {
  const changes = withRelativePrice(row, 'audio', price, perUnit)
  const { audioCompletion } = row.parts
  const [before, after] = [audioOf(row), changes?.audio ?? defaultAudio]
  if (changes === undefined || audioCompletion === undefined || before === 0 || after === 0) return changes
  return { ...changes, audioCompletion: rescaled(audioCompletion, before, after) }
}

/** The part that a price of audio output makes; undefined without a price of audio input to relate to. */
export const withAudioOutputPrice = (row: PriceRow, price: number | null, perUnit: number): PartChanges | undefined => {
  if (price === null) return { audioCompletion: null }
  const { ratio } = row.parts
  const relative = ratio === undefined ? undefined : relativeOfPrice(price, ratio * audioOf(row), perUnit)
  return relative === undefined ? undefined : { audioCompletion: relative }
}

/** The part that an output, cached-input or audio-input price makes; undefined without an input price to relate to. */
export const withRelativePrice = (
  row: PriceRow,
  part: 'completion' | 'cache' | 'audio',
  price: number | null,
  perUnit: number,
): PartChanges | undefined => {
  if (price === null) return { [part]: null }
  const { ratio } = row.parts
  const relative = ratio === undefined ? undefined : relativeOfPrice(price, ratio, perUnit)
  return relative === undefined ? undefined : { [part]: relative }
}
