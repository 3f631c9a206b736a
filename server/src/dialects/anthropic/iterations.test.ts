import { describe, expect, it } from 'vitest'
import { priceOf } from '../../../test/support/billing/price.ts'
import { openShippedBook } from '../../billing/book/shipped-book.ts'
import { cost } from '../../billing/cost.ts'
import type { Price } from '../../billing/price.ts'
import { noUsage } from '../../billing/usage.ts'
import { readAnswer, readUsage } from './answer.ts'
import { passthrough } from './passthrough.ts'

const listed = async (model: string): Promise<Price> =>
  priceOf(model, { modelRatio: {}, list: await openShippedBook() })

const compacted = {
  input_tokens: 23_000,
  output_tokens: 1000,
  iterations: [
    { type: 'compaction', input_tokens: 180_000, output_tokens: 3500 },
    { type: 'message', input_tokens: 23_000, output_tokens: 1000 },
  ],
}

const event = (type: string, members: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`

describe('an answer of several iterations', () => {
  it('costs the sum of its entries, not what stands beside them', async () => {
    expect(cost(readUsage(compacted) ?? noUsage, await listed('claude-opus-4-6'))).toBe(563_750)
    expect(readAnswer({ content: [], usage: compacted }).usage).toEqual(passthrough.usage({ usage: compacted }))
  })

  it('costs the same in a stream that states the compaction first', async () => {
    const inspector = passthrough.createInspector()
    const begun = { message: { usage: { input_tokens: 180_000, output_tokens: 1 } } }
    const events = event('message_start', begun) + event('message_delta', { delta: {}, usage: compacted })
    inspector.readUsage(Buffer.from(events))
    expect(cost(inspector.usage() ?? noUsage, await listed('claude-opus-4-6'))).toBe(563_750)
  })

  it('counts its entries once where the totals are their sum already', () => {
    const [, message] = compacted.iterations
    expect(readUsage({ ...compacted, iterations: [message] })).toMatchObject({ input: 23_000, output: 1000 })
  })

  it('charges nothing for a fallback that declined', () => {
    const declined = { type: 'fallback_message', status: 'declined', input_tokens: 50_000, output_tokens: 10 }
    expect(readUsage({ ...compacted, iterations: [...compacted.iterations, declined] })).toMatchObject({
      input: 203_000,
      output: 4500,
    })
  })
})
