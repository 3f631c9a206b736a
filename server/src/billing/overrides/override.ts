import type { ListPrice } from '../book/list-price.ts'
import { compare, decimal, divide, multiply, one } from '../decimal.ts'
import type { ContextTier, Decimal, Price, Rates } from '../price.ts'
import { type FiguresByName, figure, type PriceSettings } from '../price-settings.ts'
import { completionRatioByName } from '../tables/completion-ratios.ts'
import { usualRatios } from '../tables/usual-ratios.ts'
import { explicitReadOf, withMakersCache } from './makers-cache.ts'
import { completeRates } from './rates-of-list.ts'

interface Sources {
  readonly model: string
  /** The name that ModelRatio has it under. */
  readonly name: string
  readonly settings: PriceSettings
  readonly listed: ListPrice | undefined
}

/** The part of a price that does not depend on the group. */
export type Priced = Pick<Price, 'basis' | 'unit' | 'rates' | 'contexts' | 'pictures' | 'videos' | 'version'>

/** Model ratio of models without a price. */
const unpricedRatio = 37.5

/** Enough for a relation of two list prices that no decimal states exactly. */
const places = 12

/** A list's rate relative to its rate of plain prompt tokens; undefined where either has none. */
const relation = (rate: Decimal | undefined, listed: Rates | undefined): Decimal | undefined =>
  rate === undefined || listed === undefined || listed.input.digits === 0n
    ? undefined
    : divide(rate, listed.input, places)

const configured = (figures: FiguresByName | undefined, model: string): Decimal | undefined => {
  const value = figure(figures, model)
  return value === undefined ? undefined : decimal(value)
}

const larger = (left: Decimal, right: Decimal): Decimal => (compare(right, left) > 0 ? right : left)

/** Without a ratio of its own, sound in answers costs as much as sound in prompts or text in answers, whichever costs more. */
const spoken = (audioInput: Decimal, output: Decimal): Decimal =>
  audioInput.digits === 0n ? audioInput : larger(audioInput, output)

/**
 * A price in ratios: the operator's, with the relations of a price list, then usual ones, where the operator names none. Pictures,
 * reasoning and long prompts cost nothing extra unless the operator says so, because a model ratio is one price for the whole prompt.
 */
export const ratioPrice = ({ model, name, settings, listed }: Sources): Priced => {
  const list = listed === undefined ? undefined : completeRates(withMakersCache(listed.rates, listed.provider))
  const cacheRatio = configured(settings.cacheRatio, model)
  const explicit =
    cacheRatio === undefined ? (relation(list?.explicit_cache_read, list) ?? explicitReadOf(model)) : undefined
  const output =
    configured(settings.completionRatio, model) ?? relation(list?.output, list) ?? decimal(completionRatioByName(name))
  const audioInput =
    configured(settings.audioRatio, model) ?? relation(list?.audio_input, list) ?? decimal(usualRatios.audioInput)
  const ofSpeech = configured(settings.audioCompletionRatio, model)
  const listedSpeech = listed?.rates.audio_output === undefined ? undefined : relation(list?.audio_output, list)
  const [imageInput, imageOutput, reasoning] = [
    configured(settings.imageRatio, model),
    configured(settings.imageCompletionRatio, model),
    configured(settings.reasoningRatio, model),
  ]
  return {
    basis: 'ratio',
    unit: decimal(figure(settings.modelRatio, name) ?? unpricedRatio),
    version: 'operator',
    rates: {
      input: one,
      cache_read: cacheRatio ?? relation(list?.cache_read, list) ?? decimal(usualRatios.cacheRead),
      cache_write:
        configured(settings.cacheWriteRatio, model) ??
        relation(list?.cache_write, list) ??
        decimal(usualRatios.cacheWrite),
      cache_write_1h:
        configured(settings.cacheWrite1hRatio, model) ??
        relation(list?.cache_write_1h, list) ??
        decimal(usualRatios.cacheWrite1h),
      audio_input: audioInput,
      output,
      audio_output:
        ofSpeech === undefined ? (listedSpeech ?? spoken(audioInput, output)) : multiply(audioInput, ofSpeech),
      ...(explicit === undefined ? {} : { explicit_cache_read: explicit }),
      ...(imageInput === undefined ? {} : { image_input: imageInput }),
      ...(imageOutput === undefined ? {} : { image_output: imageOutput }),
      ...(reasoning === undefined ? {} : { reasoning }),
    },
  }
}

/** A list's rates in which ratios of the operator take the place of single kinds. */
const withRatios = (rates: Rates, model: string, settings: PriceSettings): Rates => {
  const by = (figures: FiguresByName | undefined, base: Decimal): Decimal | undefined => {
    const ratio = configured(figures, model)
    return ratio === undefined ? undefined : multiply(base, ratio)
  }
  const { input } = rates
  const audioInput = by(settings.audioRatio, input) ?? rates.audio_input
  const cacheRead = by(settings.cacheRatio, input)
  const imageInput = by(settings.imageRatio, input) ?? rates.image_input
  const imageOutput = by(settings.imageCompletionRatio, input) ?? rates.image_output
  const reasoning = by(settings.reasoningRatio, input) ?? rates.reasoning
  return {
    ...rates,
    // Cached sound and pictures belong to what the cache costs.
    ...(cacheRead === undefined
      ? {}
      : {
          cache_read: cacheRead,
          explicit_cache_read: cacheRead,
          audio_cache_read: cacheRead,
          image_cache_read: cacheRead,
        }),
    cache_write: by(settings.cacheWriteRatio, input) ?? rates.cache_write,
    cache_write_1h: by(settings.cacheWrite1hRatio, input) ?? rates.cache_write_1h,
    audio_input: audioInput,
    output: by(settings.completionRatio, input) ?? rates.output,
    audio_output: by(settings.audioCompletionRatio, audioInput) ?? rates.audio_output,
    ...(imageInput === undefined ? {} : { image_input: imageInput }),
    ...(imageOutput === undefined ? {} : { image_output: imageOutput }),
    ...(reasoning === undefined ? {} : { reasoning }),
  }
}

const millionth: Decimal = { digits: 1n, scale: 6 }

/** A list's price in dollars, with the operator's ratios for single kinds. */
export const dollarPrice = ({ model, settings }: Sources, listed: ListPrice): Priced => {
  const contexts = listed.contexts?.map(
    ({ above, rates }): ContextTier => ({
      above,
      rates: withRatios(completeRates(withMakersCache(rates, listed.provider)), model, settings),
    }),
  )
  return {
    basis: 'dollars',
    unit: multiply(decimal(settings.quotaPerUnit), millionth),
    version: listed.version,
    rates: withRatios(completeRates(withMakersCache(listed.rates, listed.provider)), model, settings),
    ...(contexts === undefined ? {} : { contexts }),
    ...(listed.pictures === undefined ? {} : { pictures: listed.pictures }),
    ...(listed.videos === undefined ? {} : { videos: listed.videos }),
  }
}
