import { ownMember } from '@tollgate/contract/own-member'
import type { ListBook } from './book/list-price.ts'
import type { Declarations } from './declared/declarations.ts'

export type FiguresByName = Readonly<Record<string, number>>

/** A figure of an option; negative and infinite ones count as missing. */
export const figure = (figures: FiguresByName | undefined, name: string): number | undefined => {
  if (figures === undefined) return undefined
  // Model names come from callers and may be `constructor`.
  const value = ownMember(figures, name)
  return value !== undefined && value >= 0 && Number.isFinite(value) ? value : undefined
}

/** A snapshot of the price options. Negative and infinite values count as missing. */
export interface PriceSettings {
  readonly modelRatio: FiguresByName
  /** Currency units per call. */
  readonly modelPrice: FiguresByName
  readonly completionRatio: FiguresByName
  readonly cacheRatio: FiguresByName
  /** Cache writes for five minutes, and for an hour, relative to plain prompt tokens. */
  readonly cacheWriteRatio?: FiguresByName
  readonly cacheWrite1hRatio?: FiguresByName
  /** Price of audio input relative to text input. */
  readonly audioRatio?: FiguresByName
  /** Price of audio output relative to audio input. */
  readonly audioCompletionRatio?: FiguresByName
  /** Pictures in prompts, and in answers, relative to text input. */
  readonly imageRatio?: FiguresByName
  readonly imageCompletionRatio?: FiguresByName
  /** Reasoning relative to text input. */
  readonly reasoningRatio?: FiguresByName
  /** Dollars per minute, million characters, page, query, picture or request, keyed as the option MeasurePrices. */
  readonly measurePrices?: FiguresByName
  /** Factors of long prompts and of the answers to them, keyed as the options LongPromptRatio and LongCompletionRatio. */
  readonly longPromptRatio?: FiguresByName
  readonly longCompletionRatio?: FiguresByName
  readonly groupRatio: FiguresByName
  /** Currency units per thousand calls of a provider's tool, keyed as the option ToolPrices. */
  readonly toolPrices?: FiguresByName
  /** Factors of token prices, keyed as the option ServiceTierRatios. */
  readonly tierRatios?: FiguresByName
  /** Quota units that make one unit of currency. */
  readonly quotaPerUnit: number
  /** If true, models without a price may be called at the model ratio 37.5. */
  readonly selfUse: boolean
  /** If true, a model that no list names is charged provisionally as the newest of its family, where it has one. */
  readonly provisionalModels?: boolean
  /** Prices of providers, for models that the operator sets no price for. Without it there are none. */
  readonly list?: ListBook
  /** The operator's declarations of usages, tiers and tools that no table knows. */
  readonly declared?: Declarations
}
