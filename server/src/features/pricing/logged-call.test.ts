import { expect, it } from 'vitest'
import { bookWith, defaultSettings } from '../../../test/support/billing/price.ts'
import { receiptOf } from '../../billing/cost.ts'
import { withToolsOf } from '../../billing/named-models/other-prices.ts'
import { noUsage } from '../../billing/usage.ts'
import { costAt, readCall } from './logged-call.ts'

it('computes tools of a mapped call at the prices of the model that the upstream was asked for', () => {
  const book = bookWith({
    modelRatio: { ...defaultSettings.modelRatio, house: 1 },
    toolPrices: { web_search: 10, 'web_search:gpt-4o*': 25 },
  })
  const price = book.of('house', 'default', { acceptsUnpriced: false })
  if (price === undefined) throw new Error('no price')
  const used = { ...noUsage, input: 100, tools: { web_search: 2 } }
  const receipt = receiptOf(used, withToolsOf(price, 'gpt-4o-mini'), { estimated: false })
  const row = { id: 1, created_at: 1, model_name: 'house', group: 'default', quota: receipt.quota, prompt_tokens: 100 }
  const charge = {
    ...row,
    completion_tokens: 0,
    other: JSON.stringify({ upstream_model_name: 'gpt-4o-mini', receipt }),
  }
  expect(receipt.quota).toBe(100 + 25_000)
  expect(costAt(readCall(charge), price)).toBe(receipt.quota)
})
