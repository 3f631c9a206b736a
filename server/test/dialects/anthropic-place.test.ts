import { defaultTierRatios } from '@tollgate/contract/prices'
import { expect, it } from 'vitest'
import { openShippedBook } from '../../src/billing/book/shipped-book.ts'
import { cost, receiptOf, recompute } from '../../src/billing/cost.ts'
import { noUsage } from '../../src/billing/usage.ts'
import { readUsage } from '../../src/dialects/anthropic/answer.ts'
import { priceOf } from '../support/billing/price.ts'

const stated = (inference_geo: string) =>
  readUsage({
    input_tokens: 10_000,
    cache_creation_input_tokens: 5000,
    cache_creation: { ephemeral_1h_input_tokens: 5000 },
    cache_read_input_tokens: 20_000,
    output_tokens: 500,
    inference_geo,
  }) ?? noUsage

it.each([
  ['claude-opus-5-5', 'us', 51_700],
  ['claude-opus-5-5', 'global', 47_000],
  ['claude-opus-5-5', 'not_available', 47_000],
  ['claude-opus-4-8', 'us', 67_375],
  ['claude-opus-4-8', 'global', 61_250],
  ['claude-opus-4-5', 'us', 61_250],
])('%s that ran in %s costs %i, and the receipt recomputes it', async (model, place, quota) => {
  const price = priceOf(model, { modelRatio: {}, tierRatios: defaultTierRatios, list: await openShippedBook() })
  expect(cost(stated(place), price)).toBe(quota)
  expect(recompute(receiptOf(stated(place), price, { estimated: false }))).toBe(quota)
})
