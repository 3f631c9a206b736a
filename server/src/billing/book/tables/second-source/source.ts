import type { PriceRow } from '../../price-table.ts'

/** LiteLLM's public table (MIT), read in November 2026: for models that no page could be read for. */
export const source = 'https://github.com/BerriAI/litellm/blob/main/model_prices_and_context_window.json (2026-11)'

/** A price that the second source states. */
export interface SecondSourceRow extends PriceRow {
  /** True where the catalogue knows an older price, another region or another model of a similar name; docs/prices.md lists both. */
  readonly isCorrection?: true
}
