import fc from 'fast-check'
import { expect, it } from 'vitest'
import { shippedPrices } from '../../../../test/support/batches/batch-scene.ts'
import { receiptOf, recompute } from '../../../billing/cost.ts'
import { add, decimal, multiply, roundHalfUp, zero } from '../../../billing/decimal.ts'
import { declaredKey } from '../../../billing/declared/declarations.ts'
import { settledReceipt } from '../../../billing/declared/settle.ts'
import { noUsage, type Usage } from '../../../billing/usage.ts'
import { repricedReceipt } from '../../../features/pricing/reprice/reprice.ts'
import { ReceiptSum } from './receipt-sum.ts'

const models = ['gpt-5.5', 'gpt-4o', 'claude-opus-4-5', 'gemini-2.5-pro', 'grok-4', 'mistral-large-latest']

const line = fc.record({
  model: fc.constantFrom(...models),
  input: fc.nat(600_000),
  cacheRead: fc.nat(50_000),
  output: fc.nat(10_000),
  search: fc.boolean(),
})

const none = { prompt: 0, completion: 0, cacheRead: 0, cacheWrite: 0, audioInput: 0, audioOutput: 0 }

it('comes to the exact sum of its lines, rounded once, and stays that at the same prices', async () => {
  const book = await shippedPrices()
  const priceOf = (model: string) => {
    const price = book.of(model, 'default', { acceptsUnpriced: false })
    if (price === undefined) throw new Error(model)
    return price
  }
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 60 }), (lines) => {
      const sum = new ReceiptSum()
      let exact = zero
      for (const { model, search, ...tokens } of lines) {
        const usage: Usage = { ...noUsage, ...tokens, tier: 'batch', ...(search ? { tools: { web_search: 1 } } : {}) }
        const receipt = receiptOf(usage, priceOf(model), { estimated: false })
        sum.add(receipt, model)
        const factor = multiply(decimal(receipt.model_ratio), decimal(receipt.tier?.ratio ?? '1'))
        for (const { quantity, price } of receipt.lines)
          exact = add(exact, multiply(decimal(quantity), decimal(price), factor))
        for (const { quantity, price } of receipt.tools ?? [])
          exact = add(exact, multiply(decimal(quantity), decimal(price), decimal(500)))
      }
      const total = sum.total()
      expect(total?.receipt.quota).toBe(roundHalfUp(exact))
      if (total === undefined) return
      const { receipt, model } = total
      expect(recompute(receipt)).toBe(receipt.quota)
      const answers =
        (receipt.answers ?? 0) + (receipt.models ?? []).reduce((all, part) => all + (part.answers ?? 0), 0)
      expect(answers).toBeLessThanOrEqual(lines.length)
      // A correction at the prices that it was charged at changes nothing.
      expect(repricedReceipt(receipt, priceOf(model), none).quota).toBe(receipt.quota)
    }),
  )
})

it('gives back what an unknown member cost once it is declared, whatever model and length had it', async () => {
  const book = await shippedPrices()
  const unknown = [{ kind: 'usage', dialect: 'openai', name: 'dream_tokens', value: 700, count: 700 }] as const
  const sumOf = (more: Partial<Usage>) => {
    const sum = new ReceiptSum()
    for (const model of ['gpt-5.5', 'gpt-4o'])
      for (const input of [1000, 400_000]) {
        const price = book.of(model, 'default', { acceptsUnpriced: false })
        if (price === undefined) throw new Error(model)
        sum.add(receiptOf({ ...noUsage, input, tier: 'batch', ...more }, price, { estimated: false }), model)
      }
    return sum.total()?.receipt
  }
  const [charged, plain] = [sumOf({ unknown }), sumOf({})]
  if (charged === undefined || plain === undefined) throw new Error('nothing was added')
  expect(charged.quota).toBeGreaterThan(plain.quota)
  const key = declaredKey({ kind: 'usage', place: 'openai', name: 'dream_tokens' })
  const settled = settledReceipt(charged, { [key]: { as: 'informative' } }, undefined)
  expect(settled && recompute(settled)).toBe(plain.quota)
  const asInput = settledReceipt(charged, { [key]: { as: 'piece', piece: 'input' } }, undefined)
  expect(asInput && recompute(asInput)).toBeGreaterThan(plain.quota)
  expect(asInput && recompute(asInput)).toBeLessThan(charged.quota)
})

it('keeps its sum whatever number of models it has', () => {
  const sum = new ReceiptSum()
  const part = {
    mode: 'tokens',
    model_ratio: '0.5',
    group_ratio: '2',
    quota_per_unit: '500000',
    quota: 0,
    estimated: false,
  } as const
  for (let index = 0; index < 500; index += 1)
    sum.add({ ...part, lines: [{ item: 'input', quantity: 3, price: String(index) }] }, `model ${index}`)
  const total = sum.total()
  expect(total?.receipt.models?.length).toBeLessThan(80)
  expect(total?.receipt.quota).toBe((3 * 499 * 500) / 2)
})
