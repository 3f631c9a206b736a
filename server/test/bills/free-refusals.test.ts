import { beforeEach, describe, expect, it } from 'vitest'
import { openShippedBook } from '../../src/billing/book/shipped-book.ts'
import { providers } from '../../src/providers/index.ts'
import { bookWith } from '../support/billing/price.ts'
import { askIn, everyWay } from '../support/gateway/dialect-calls.ts'
import { message, named } from '../support/gateway/dialects.ts'
import { channel, lastRecord, reopenGateway, upstream, useChannels, useScene } from '../support/gateway/scene.ts'
import { json, stream } from '../support/gateway/upstream.ts'

useScene()

const model = 'claude-opus-5'

beforeEach(async () => {
  await reopenGateway({ prices: bookWith({ modelRatio: {}, list: await openShippedBook() }) })
  useChannels(channel({ type: 14 }))
})

const refusal = (content: readonly object[], output: number) => ({
  ...message,
  model,
  content,
  stop_reason: 'refusal',
  stop_details: { type: 'refusal', category: 'cyber', explanation: 'No.' },
  usage: { input_tokens: 10_000, output_tokens: output },
})

/** The same as a stream, whose first event states a token as a placeholder. */
const streamed = (content: readonly { readonly type: string; readonly text?: string }[], output: number) =>
  stream(
    named('message_start', {
      message: { ...refusal([], 0), stop_reason: null, usage: { input_tokens: 10_000, output_tokens: 1 } },
    }),
    ...content.flatMap(({ text, ...block }, index) => [
      named('content_block_start', { index, content_block: { ...block, ...(text === undefined ? {} : { text: '' }) } }),
      ...(text === undefined ? [] : [named('content_block_delta', { index, delta: { type: 'text_delta', text } })]),
      named('content_block_stop', { index }),
    ]),
    named('message_delta', { delta: { stop_reason: 'refusal' }, usage: { output_tokens: output } }),
    named('message_stop', {}),
  )

const refuse = (
  content: readonly { readonly type: string; readonly text?: string }[],
  output: number,
  asStream: boolean,
) => {
  upstream.answer = asStream ? streamed(content, output) : json(refusal(content, output))
}

const mark = { type: 'fallback', from: { model }, to: { model: 'claude-opus-4-8' } }

describe.each(everyWay)('a refusal, asked for by %s, streamed: %s,', (dialect, asStream) => {
  it.each([
    ['states nothing written', [], 0],
    ['states a token', [], 1],
    ['brings an empty text', [{ type: 'text', text: '' }], 1],
    ['brings the mark of a fallback that refused, too', [mark], 0],
  ] as const)('costs nothing where it comes before any output and %s', async (_, content, output) => {
    refuse(content, output, asStream)
    const response = await askIn(dialect, model, { stream: asStream })
    await response.text()
    expect(response.status).toBe(200)
    const record = lastRecord()
    expect(record).toMatchObject({ kind: 'charge', quota: 0, receipt: { lines: [], quota: 0, estimated: false } })
    expect(record?.content).toContain('不计费')
    expect(record?.content).not.toContain('超时')
  })

  it('costs what was written before it', async () => {
    refuse([{ type: 'text', text: 'I' }], 50, asStream)
    await (await askIn(dialect, model, { stream: asStream })).text()
    expect(lastRecord()).toMatchObject({ kind: 'charge', quota: 25_625 })
  })
})

it('costs nothing at an own host of the type Anthropic, and what it states everywhere else', () => {
  expect(providers.filter(({ freesRefusals }) => freesRefusals).map(({ type }) => type)).toEqual([14])
})

it('costs the whole prompt where it is answered and nothing is written', async () => {
  upstream.answer = json({ ...refusal([], 0), stop_reason: 'end_turn' })
  await (await askIn('messages', model)).text()
  expect(lastRecord()?.quota).toBe(25_000)
})
