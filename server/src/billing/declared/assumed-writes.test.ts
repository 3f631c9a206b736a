import { expect, it } from 'vitest'
import { priceOf } from '../../../test/support/billing/price.ts'
import { openShippedBook } from '../book/shipped-book.ts'
import { receiptOf, recompute } from '../cost.ts'
import { noUsage } from '../usage.ts'
import { declaredKey } from './declarations.ts'
import { settledReceipt } from './settle.ts'

const usage = { ...noUsage, input: 1000, cacheWrite1h: 8000, output: 100 }

it('marks long writes of Qwen, and settles them as they are declared, also for the calls that follow', async () => {
  const list = await openShippedBook()
  const price = priceOf('qwen3.7-max', { modelRatio: {}, list })
  const receipt = receiptOf(usage, price, { estimated: false })
  const [reason] = receipt.provisional ?? []
  if (reason === undefined) throw new Error('not marked')
  for (const [declared, dollars] of [
    [{ as: 'piece', piece: 'cache_write_1h' }, 2],
    [{ as: 'piece', piece: 'cache_write' }, 1.25],
    [{ as: 'informative' }, 0],
  ] as const) {
    const declarations = { [declaredKey(reason)]: declared }
    const settled = settledReceipt(receipt, declarations, price)
    if (settled === undefined) throw new Error('not settled')
    const quota = 1000 * 1.25 + 8000 * 1.25 * dollars + 375
    expect([recompute(settled), settled.provisional]).toEqual([quota, undefined])
    const next = receiptOf(usage, { ...price, declared: declarations }, { estimated: false })
    expect([next.quota, next.provisional]).toEqual([quota, undefined])
  }
  expect(receipt.quota).toBe(1000 * 1.25 + 8000 * 2.5 + 375)
})

it('leaves prices that an operator set, and other makers, as they are', async () => {
  const list = await openShippedBook()
  for (const price of [
    priceOf('qwen3.7-max', { modelRatio: { 'qwen3.7-max': 1 } }),
    priceOf('claude-opus-5', { modelRatio: {}, list }),
  ])
    expect(receiptOf(usage, price, { estimated: false }).provisional).toBeUndefined()
})
