import fc from 'fast-check'
import { expect, it } from 'vitest'
import { claude, gemini, named } from '../support/gateway/dialects.ts'
import { channel, gateway, lastRecord, upstream, useChannels, useScene } from '../support/gateway/scene.ts'
import type { Received } from '../support/gateway/upstream.ts'

/**
 * Answers without a cost are the provider's bytes unchanged, whatever they contain and however the network cuts them; answers with a
 * cost differ only in the last report.
 */

useScene()

const word = fc.string({ unit: 'binary', maxLength: 12 })
const space = fc.constantFrom('', ' ', '\t')
const newline = fc.constantFrom('\n', '\r\n')
const count = fc.integer({ min: 1, max: 500 })

/** JSON that is not written as JSON.stringify writes it. */
const oddObject = (members: readonly (readonly [string, string])[], gap: string): string =>
  `{${members.map(([name, value]) => `${gap}"${name}"${gap}:${gap}${value}`).join(',')}${gap}}`

const texts = fc.array(word, { minLength: 1, maxLength: 6 })
const looks = fc.record({
  texts,
  gap: space,
  line: newline,
  input: count,
  output: count,
  cuts: fc.array(fc.integer({ min: 1, max: 90 })),
})
type Look = typeof looks extends fc.Arbitrary<infer T> ? T : never

interface Kind {
  readonly path: string
  readonly body: object
  readonly at: () => ReturnType<typeof channel>
  readonly events: (look: Look) => readonly string[]
}

const event = (line: string, payload: string, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}${line}`}data: ${payload}${line}${line}`

const chat = (look: Look, choices: string, usage = 'null'): string =>
  event(
    look.line,
    oddObject(
      [
        ['id', '"c"'],
        ['object', '"chat.completion.chunk"'],
        ['choices', choices],
        ['usage', usage],
      ],
      look.gap,
    ),
  )

const kinds: Readonly<Record<string, Kind>> = {
  chat: {
    path: '/v1/chat/completions',
    body: {
      model: 'gpt-4o',
      stream: true,
      stream_options: { include_usage: true },
      messages: [{ role: 'user', content: 'hi' }],
    },
    at: () => channel(),
    events: (look) => [
      ...look.texts.map((text) => chat(look, `[{"index":0,"delta":{"content":${JSON.stringify(text)}}}]`)),
      chat(
        look,
        '[]',
        oddObject(
          [
            ['prompt_tokens', `${look.input}.0`],
            ['completion_tokens', String(look.output)],
          ],
          look.gap,
        ),
      ),
      event(look.line, '[DONE]'),
    ],
  },
  messages: {
    path: '/v1/messages',
    body: { model: 'claude-sonnet-4-5', stream: true, max_tokens: 900, messages: [{ role: 'user', content: 'hi' }] },
    at: claude,
    events: (look) => [
      named('message_start', {
        message: {
          id: 'm',
          type: 'message',
          role: 'assistant',
          content: [],
          usage: { input_tokens: look.input, output_tokens: 1 },
        },
      }),
      ...look.texts.map((text) =>
        event(
          look.line,
          oddObject(
            [
              ['type', '"content_block_delta"'],
              ['index', '0'],
              ['delta', JSON.stringify({ type: 'text_delta', text })],
            ],
            look.gap,
          ),
          'content_block_delta',
        ),
      ),
      event(
        look.line,
        oddObject(
          [
            ['type', '"message_delta"'],
            ['delta', '{"stop_reason":"end_turn"}'],
            ['usage', oddObject([['output_tokens', String(look.output)]], look.gap)],
          ],
          look.gap,
        ),
        'message_delta',
      ),
      event(look.line, '{"type":"message_stop"}', 'message_stop'),
    ],
  },
  gemini: {
    path: '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
    body: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
    at: gemini,
    events: (look) =>
      [...look.texts, 'end'].map((text, at) =>
        event(
          look.line,
          oddObject(
            [
              [
                'candidates',
                JSON.stringify([
                  { content: { parts: [{ text }] }, ...(at === look.texts.length ? { finishReason: 'STOP' } : {}) },
                ]),
              ],
              [
                'usageMetadata',
                oddObject(
                  [
                    ['promptTokenCount', String(look.input)],
                    ['candidatesTokenCount', String(look.output)],
                    ['totalTokenCount', String(look.input + look.output)],
                  ],
                  look.gap,
                ),
              ],
            ],
            look.gap,
          ),
        ),
      ),
  },
}

/** In pieces of these sizes, and then the rest. */
const sending = (bytes: Buffer, cuts: readonly number[]) => {
  return ({ response }: Received): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    let at = 0
    for (const cut of cuts) {
      if (at >= bytes.length) break
      response.write(bytes.subarray(at, at + cut))
      at += cut
    }
    response.end(bytes.subarray(at))
  }
}

const answerTo = async ({ path, body }: Kind, headers: Record<string, string>): Promise<string> => {
  const all = { authorization: 'Bearer sk-good', 'content-type': 'application/json', ...headers }
  const response = await fetch(gateway.url + path, { method: 'POST', headers: all, body: JSON.stringify(body) })
  return response.text()
}

const payloadsOf = (text: string): string[] => text.split(/\r?\n/).filter((line) => line !== '')

it.each(Object.entries(kinds))('the bytes of %s are the provider’s', async (_name, kind) => {
  useChannels(kind.at())
  await fc.assert(
    fc.asyncProperty(looks, async (look) => {
      const bytes = kind.events(look).join('')
      upstream.answer = sending(Buffer.from(bytes), look.cuts)
      expect(await answerTo(kind, {})).toBe(bytes)
      const withCost = await answerTo(kind, { 'x-tollgate-include-cost': 'true' })
      const { id = '' } = lastRecord() ?? {}
      const plain = withCost.replace(/,?"cost":[\d.]+,"receipt":"[^"]*"/, '')
      expect(withCost).toContain(id)
      // The edited event has lines of its own; what they say is the same.
      expect(payloadsOf(plain)).toEqual(payloadsOf(bytes))
    }),
    { numRuns: Number(process.env.ANSWER_COST_BYTES ?? 25) },
  )
})
