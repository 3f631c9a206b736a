import { beforeAll, describe, expect, it } from 'vitest'
import type { Usage } from '../../src/billing/usage.ts'
import { anthropicMessages } from '../../src/dialects/anthropic/dialect.ts'
import { membersOf } from '../../src/dialects/conversation/json.ts'
import type { UpstreamDialect } from '../../src/dialects/dialect.ts'
import { geminiContent } from '../../src/dialects/gemini/dialect.ts'
import { openaiChat } from '../../src/dialects/openai-chat/dialect.ts'
import { openaiResponses } from '../../src/dialects/openai-responses/dialect.ts'
import { payloads } from '../../src/lib/sse.ts'
import { useRecorded } from '../support/gateway/recorded.ts'
import { testChannel } from '../support/relay/ports.ts'
import { hasWire, type Recording } from '../support/relay/wire.ts'

/** Tools of providers and service tiers in recorded exchanges: as they are billed where the bytes go through, and converted. */

interface Billed {
  readonly tools?: Readonly<Record<string, number>>
  readonly tier?: string
}

/** Everything that the recordings state; all others state nothing. */
const expected: Readonly<Record<string, Billed>> = {
  'anthropic-messages-2cab9b78': { tools: { web_fetch: 1 } },
  'anthropic-messages-efd2089b': { tools: { web_search: 1 } },
  'anthropic-messages-stream-505ecfe2': { tools: { web_fetch: 1 } },
  'anthropic-messages-stream-b77aee28': { tools: { web_fetch: 1 } },
  'anthropic-messages-stream-caea52cd': { tools: { web_search: 2 } },
  'anthropic-messages-stream-cd7c13a7': { tools: { web_search: 1 } },
  'anthropic-messages-stream-e80e7906': { tools: { web_search: 1 } },
  'azure-responses-eaf6b2d8': { tools: { image_generation: 1 } },
  'azure-responses-stream-29af5d4d': { tools: { code_interpreter: 1 } },
  'azure-responses-stream-7313da53': { tools: { web_search_preview: 1 } },
  'azure-responses-stream-e4dd1013': { tools: { image_generation: 1 } },
  'gemini-generate-58889354': { tools: { google_search: 1, google_search_query: 3 } },
  // One of its two queries is empty.
  'gemini-generate-cef16874': { tools: { google_search: 1, google_search_query: 1 } },
  'openai-chat-cc67db0c': { tools: { web_search_preview: 1 } },
  'openai-responses-29bcdc68': { tools: { file_search: 1 } },
  'openai-responses-4bf1cc84': { tools: { image_generation: 1 } },
  'openai-responses-509701c0': { tools: { code_interpreter: 1 } },
  'openai-responses-75252546': { tools: { web_search: 1 } },
  'openai-responses-75416950': { tools: { image_generation: 1 } },
  'openai-responses-stream-36d810c5': { tools: { file_search: 1 } },
  'openai-responses-stream-5cbdc91d': { tier: 'flex' },
  'openai-responses-stream-752c9d41': { tools: { web_search: 1 } },
  // Six calls, of which one opens a page and three look through one.
  'openai-responses-stream-ab3397c6': { tools: { web_search: 2 } },
  'openai-responses-stream-ea266a2b': { tools: { file_search: 1 } },
  'openrouter-chat-90f61c38': { tools: { web_search: 1 } },
  'openrouter-chat-stream-2fa9bd86': { tools: { web_search: 1 } },
  'perplexity-chat-6264c8a1': { tools: { search_low: 1 } },
  'perplexity-chat-cb661979': { tools: { search_low: 1 } },
  'perplexity-chat-f4e05d57': { tools: { search_low: 1 } },
  'perplexity-chat-stream-45cb8a51': { tools: { search_low: 1 } },
  'vertex-generate-9e0354c6': { tools: { google_search: 1, google_search_query: 1 } },
  'vertex-generate-b6fad685': { tools: { google_search: 1, google_search_query: 2 } },
  'vertex-generate-stream-74d5507d': { tier: 'flex' },
  'xai-responses-1f8b5438': { tools: { file_search: 1 } },
  'xai-responses-46e0831d': { tools: { image_generation: 1 } },
  'xai-responses-stream-8b1af4c9': { tools: { web_search: 1 } },
}

interface Format {
  readonly type: number
  readonly upstream: UpstreamDialect
  path(recording: Recording): string
  readonly request: Readonly<Record<string, unknown>>
}

const messages = [{ role: 'user', content: 'hi' }]
const geminiPath = ({ model, stream }: Recording): string =>
  `/v1beta/models/${model ?? 'gemini'}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`
const gemini = {
  type: 24,
  upstream: geminiContent(),
  path: geminiPath,
  request: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
}
const formats: Readonly<Record<string, Format>> = {
  'openai.chat': { type: 1, upstream: openaiChat(), path: () => '/v1/chat/completions', request: { messages } },
  'openai.responses': { type: 1, upstream: openaiResponses, path: () => '/v1/responses', request: { input: 'hi' } },
  'anthropic.messages': {
    type: 14,
    upstream: anthropicMessages(),
    path: () => '/v1/messages',
    request: { messages, max_tokens: 9 },
  },
  'gemini.generateContent': gemini,
  'gemini.streamGenerateContent': gemini,
}

const formatOf = ({ format }: Recording): Format => {
  const found = formats[format]
  if (found === undefined) throw new Error(format)
  return found
}

/** Usage that a conversion reads from a recording. */
const readUsage = (recording: Recording): Usage | undefined => {
  const { upstream } = formatOf(recording)
  const { body, sse } = recording.response
  if (sse === undefined) return upstream.readAnswer(membersOf(body)).usage
  const reader = upstream.openStream()
  const events = sse.flatMap((event) => payloads(event)).flatMap((payload) => reader.read(payload, ''))
  return events.findLast((event) => event.kind === 'usage')?.usage
}

describe.skipIf(!hasWire)('tools and tiers of recorded exchanges', () => {
  const recorded = useRecorded('random:5')
  let recordings: Recording[]
  beforeAll(() => {
    const { replay } = recorded
    recordings = replay
      .ids()
      .map((id) => replay.get(id))
      .filter(({ format, response }) => format in formats && response.status === 200)
  })

  /** On the receipt of a call whose bytes go through. */
  const billed = async (recording: Recording): Promise<Billed> => {
    const { type, path, request } = formatOf(recording)
    const { id, model, stream } = recording
    const { list } = recorded.gateway.parts.channels
    list.splice(0, list.length, testChannel({ type, baseUrl: recorded.replay.url, keys: [`wire-${id}`] }))
    recorded.gateway.parts.recorder.records.length = 0
    const response = await fetch(recorded.gateway.url + path(recording), {
      method: 'POST',
      headers: { authorization: 'Bearer sk-good', 'content-type': 'application/json' },
      body: JSON.stringify({ model: model ?? 'gpt-4o', ...request, ...(stream ? { stream } : {}) }),
    })
    await response.text()
    const receipt = recorded.gateway.parts.recorder.records[0]?.receipt
    const tools = receipt?.tools && Object.fromEntries(receipt.tools.map(({ tool, quantity }) => [tool, quantity]))
    return { ...(tools && { tools }), ...(receipt?.tier && { tier: receipt.tier.name }) }
  }

  const collect = async (of: (recording: Recording) => Billed | Promise<Billed>): Promise<Record<string, Billed>> => {
    const found: Record<string, Billed> = {}
    for (const recording of recordings) {
      const { tools, tier } = await of(recording)
      if (tools || tier) found[recording.id] = { ...(tools && { tools }), ...(tier && { tier }) }
    }
    return found
  }

  it('are billed where the bytes go through', async () => {
    expect(recordings.length).toBeGreaterThan(300)
    expect(await collect(billed)).toEqual(expected)
  })

  it('are read by conversions', async () => {
    expect(await collect((recording) => readUsage(recording) ?? {})).toEqual(expected)
  })
})
