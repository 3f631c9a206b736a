import type { ListBook } from '../../../src/billing/book/list-price.ts'
import { decimal } from '../../../src/billing/decimal.ts'

/** A price list with one version: model → dollars per million tokens of prompts and answers. */
export const testList = (prices: Readonly<Record<string, readonly [input: number, output: number]>>): ListBook => {
  const byName = new Map(Object.entries(prices))
  return {
    find(model) {
      const found = byName.get(model)
      if (found === undefined) return undefined
      const rates = { input: decimal(found[0]), output: decimal(found[1]) }
      return { model, provider: 'p', version: 'list 1', source: '', rates, until: Number.POSITIVE_INFINITY }
    },
  }
}
