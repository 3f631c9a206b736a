import { existsSync, readFileSync } from 'node:fs'

/** Dollars a piece by name, such as `input_cost_per_token`; and what the model is for. */
export type SecondPrice = Readonly<Record<string, unknown>> & { readonly provider?: string; readonly mode?: string }

/** The second source as a file outside the project: beside it, or where PRICE_DATA says. */
const file = process.env.PRICE_DATA ?? new URL('../../../../../shared/data/prices-2026-11.json', import.meta.url)

export const hasSecondSource = existsSync(file)

export const secondSource: Readonly<Record<string, SecondPrice>> = hasSecondSource
  ? JSON.parse(readFileSync(file, 'utf8'))
  : {}

/** In the words of the public table, which calls the provider otherwise. */
export const publicTable = (): Record<string, Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(secondSource).map(([name, price]) => [name, { ...price, litellm_provider: price.provider }]),
  )

/** For titles of tests that need the file. */
export const withoutSecondSource = hasSecondSource ? '' : ' (skipped: PRICE_DATA names no file)'
