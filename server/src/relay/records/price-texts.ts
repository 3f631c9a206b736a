import type { Price } from '../../billing/price.ts'
import { type Ratios, ratiosOf } from '../../billing/prices.ts'

/** Texts of a price in records. */
export interface PriceTexts {
  readonly figures: Ratios
  readonly ofText: string
  readonly ofAudio: string
  /** The figures as the members of `other` that every charge begins with, before and after the number of cached tokens. */
  readonly printed: { readonly beforeCached: string; readonly afterCached: string }
}

/** Prices live as long as their options, and each record prints them. */
const priceTexts = new WeakMap<Price, PriceTexts>()
/** Printed once for each price. */
export const priceTextsOf = (price: Price): PriceTexts => {
  const before = priceTexts.get(price)
  if (before !== undefined) return before
  const figures = ratiosOf(price)
  const texts = {
    figures,
    ofText: ratioText(figures, false),
    ofAudio: ratioText(figures, true),
    printed: printedFigures(figures),
  }
  priceTexts.set(price, texts)
  return texts
}

const printedFigures = (figures: Ratios): PriceTexts['printed'] => {
  const { model_ratio, group_ratio, completion_ratio, model_price, cache_ratio } = figures
  const before = JSON.stringify({ model_ratio, group_ratio, completion_ratio, model_price })
  return {
    beforeCached: `${before.slice(0, -1)},"cache_tokens":`,
    afterCached: `,"cache_ratio":${JSON.stringify(cache_ratio)}`,
  }
}

const two = (figure: number): string => figure.toFixed(2)

const ratioText = (figures: Ratios, audio: boolean): string => {
  if (figures.model_price >= 0) {
    return `模型价格 ${two(figures.model_price)}，分组倍率 ${two(figures.group_ratio)}`
  }
  const ofAudio = audio
    ? `，音频倍率 ${two(figures.audio_ratio)}，音频补全倍率 ${two(figures.audio_completion_ratio)}`
    : ''
  const ofText = `模型倍率 ${two(figures.model_ratio)}，补全倍率 ${two(figures.completion_ratio)}`
  return `${ofText}${ofAudio}，分组倍率 ${two(figures.group_ratio)}`
}
