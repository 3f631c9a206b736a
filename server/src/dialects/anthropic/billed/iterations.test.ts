import { describe, expect, it } from 'vitest'
import { priceOf } from '../../../../test/support/billing/price.ts'
import { openShippedBook } from '../../../billing/book/shipped-book.ts'
import { cost } from '../../../billing/cost.ts'
import type { Price } from '../../../billing/price.ts'
import { noUsage } from '../../../billing/usage.ts'
import { readAnswer, readUsage } from '../answer.ts'
import { passthrough } from '../passthrough.ts'

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

  const [asked, fallback] = ['claude-fable-5-1', 'claude-opus-5']
  const refused = { type: 'message', model: asked, input_tokens: 9900, output_tokens: 0 }
  const answered = { type: 'fallback_message', model: fallback, input_tokens: 10_000, output_tokens: 1000 }

  it('charges nothing for a model that refused before any output, and names the one that answered', () => {
    const read = readUsage({ input_tokens: 10_000, output_tokens: 1000, iterations: [refused, answered] })
    expect(read).toMatchObject({ input: 10_000, output: 1000, models: { served: fallback, others: [] } })
  })

  it('charges a model that refused in the middle at its own price', () => {
    const late = { ...refused, output_tokens: 5 }
    const read = readUsage({ input_tokens: 10_000, output_tokens: 1000, iterations: [late, answered] })
    expect(read?.models?.others).toMatchObject([{ model: asked, usage: { input: 9900, output: 5 } }])
  })

  it('charges nothing where every model of a chain refused', () => {
    const all = [refused, { ...answered, output_tokens: 0 }]
    expect(readUsage({ input_tokens: 10_000, output_tokens: 0, iterations: all })).toMatchObject({
      input: 0,
      output: 0,
    })
  })

  it('charges the rest where the totals hold more than the list', () => {
    const advisor = { type: 'advisor_message', model: fallback, input_tokens: 800, output_tokens: 100 }
    const read = readUsage({ input_tokens: 2000, output_tokens: 300, iterations: [advisor] })
    expect(read).toMatchObject({
      input: 1200,
      output: 200,
      models: { others: [{ usage: { input: 800, output: 100 } }] },
    })
  })

  it('bounds its models, whatever an answer names', () => {
    const iterations = Array.from({ length: 100 }, (_, at) => ({
      type: 'advisor_message',
      model: `m${at}${'x'.repeat(500)}`,
      input_tokens: 1,
      output_tokens: 1,
    }))
    const others = readUsage({ input_tokens: 0, output_tokens: 0, iterations })?.models?.others ?? []
    expect(others.length).toBe(16)
    expect(others.reduce((sum, { usage }) => sum + usage.input, 0)).toBe(100)
    expect(Math.max(...others.map(({ model }) => model.length))).toBeLessThan(130)
  })
})
