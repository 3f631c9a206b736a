import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  isObject,
  type JsonObject,
  membersOf,
  objectsOf,
  parsedJson,
  textOf,
} from '../../src/dialects/conversation/json.ts'
import { payloads } from '../../src/lib/sse.ts'
import type { RelayChannel, RequestRecord } from '../../src/relay/ports.ts'
import { useRecorded } from '../support/gateway/recorded.ts'
import { testChannel } from '../support/relay/ports.ts'
import { hasWire, type Recording, refusesCredentials } from '../support/relay/wire.ts'

/** Recorded exchanges of providers with their own formats, replayed for clients of every dialect. Skipped without recordings. */

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

const accountOf = (id: string, url: string): string =>
  JSON.stringify({
    type: 'service_account',
    project_id: 'example-project',
    private_key_id: 'k1',
    private_key: pem,
    client_email: `wire-${id}@x.iam.gserviceaccount.com`,
    token_uri: `${url}/token`,
  })

const channels: Readonly<Record<string, (id: string, url: string) => Partial<RelayChannel>>> = {
  bedrock: (id) => ({ type: 33, keys: [`wire-${id}|secret|us-east-1`] }),
  vertex: (id, url) => ({ type: 41, keys: [accountOf(id, url)], other: 'us-east5' }),
  cohere: (id) => ({ type: 34, keys: [`wire-${id}`] }),
  ollama: (id) => ({ type: 4, keys: [`wire-${id}`] }),
  cloudflare: (id) => ({ type: 39, keys: [`wire-${id}`], other: 'account' }),
}

/** Claude speaks through Converse only where its name does not tell. */
const profile = 'arn:aws:bedrock:us-east-1:000000000000:application-inference-profile/abc'

const modelOf = ({ format, model }: Recording): string => {
  const named = model ?? 'command-a-03-2025'
  return format === 'bedrock.converse' && named.includes('claude') ? profile : named
}

const question = 'Say something.'

interface Client {
  readonly name: string
  path(model: string, stream: boolean): string
  body(model: string, stream: boolean): JsonObject
  /** Text of an answer, or of all events of a stream together. */
  text(json: JsonObject): string
}

const messages = [{ role: 'user', content: question }]
const joined = (list: unknown): string =>
  objectsOf(list)
    .map((part) => (part.thought === true ? '' : textOf(part.text)))
    .join('')

const clients: readonly Client[] = [
  {
    name: 'chat',
    path: () => '/v1/chat/completions',
    body: (model, stream) => ({ model, messages, stream }),
    text: ({ choices }) => {
      const [choice = {}] = objectsOf(choices)
      const { content } = membersOf(choice.message ?? choice.delta)
      return isObject(content) ? JSON.stringify(content) : textOf(content)
    },
  },
  {
    name: 'messages',
    path: () => '/v1/messages',
    body: (model, stream) => ({ model, messages, stream, max_tokens: 8000 }),
    text: (json) => joined(json.content) + (json.type === 'content_block_delta' ? joined([json.delta]) : ''),
  },
  {
    name: 'gemini',
    path: (model, stream) =>
      `/v1beta/models/${encodeURIComponent(model)}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: () => ({ contents: [{ role: 'user', parts: [{ text: question }] }] }),
    text: ({ candidates }) => {
      const [candidate = {}] = objectsOf(candidates)
      return joined(membersOf(candidate.content).parts)
    },
  },
  {
    name: 'responses',
    path: () => '/v1/responses',
    body: (model, stream) => ({ model, input: question, stream }),
    text: (json) =>
      json.type === 'response.output_text.delta'
        ? textOf(json.delta)
        : objectsOf(json.output)
            .map((item) => (item.type === 'message' ? joined(item.content) : ''))
            .join(''),
  },
]

/** Text of an event, read from the raw recording without any of the dialects. */
const saidIn = (event: JsonObject, format: string): string => {
  switch (format) {
    case 'bedrock.converse':
      return objectsOf(membersOf(membersOf(event.output).message).content)
        .map((block) => textOf(block.text) + joined(membersOf(block.citationsContent).content))
        .join('')
    case 'cohere.chat.v2': {
      const message = membersOf(event.message ?? membersOf(event.delta).message)
      const { content } = message
      return textOf(message.tool_plan) + (Array.isArray(content) ? joined(content) : textOf(membersOf(content).text))
    }
    case 'ollama.chat':
      return textOf(membersOf(event.message).content)
    case 'openai.chat':
      return clients[0]?.text(event) ?? ''
    case 'gemini.generateContent':
    case 'gemini.streamGenerateContent':
      return clients[2]?.text(event) ?? ''
    default:
      return clients[1]?.text(event) ?? ''
  }
}

const recordedText = ({ format, response }: Recording): string => {
  const { sse = [], ndjson = [], events = [], body } = response
  if (format === 'bedrock.converse' && events.length > 0) {
    return events.map(({ payload }) => textOf(membersOf(payload.delta).text)).join('')
  }
  const streamed = [...sse.flatMap((event) => payloads(`${event}\n\n`)), ...ndjson].map(parsedJson)
  const all = [...streamed, ...events.map(({ payload }) => payload), body].filter(isObject)
  return all.map((event) => saidIn(event, format)).join('')
}

/** The whole prompt and the whole completion; who counts the cache or the thoughts apart is in the corpus' own table. */
const recordedUsage = ({ format, usage }: Recording): { prompt: number; completion: number } | undefined => {
  const { prompt, completion = 0, cached = 0, cache_write = 0, reasoning = 0, tool_prompt = 0 } = usage
  if (prompt === undefined) return undefined
  const isAnthropic = format.startsWith('bedrock.') || format === 'anthropic.messages'
  if (isAnthropic) return { prompt: prompt + cached + cache_write, completion }
  if (format.startsWith('gemini.')) return { prompt: prompt + tool_prompt, completion: completion + reasoning }
  return { prompt, completion }
}

const receivedText = (text: string, client: Client, stream: boolean): string => {
  const all = stream ? payloads(text).map(parsedJson) : [parsedJson(text)]
  return all
    .filter(isObject)
    .map((json) => client.text(json))
    .join('')
}

/** Thinking that only the client of its own maker sees, pictures, and two models' invocation bodies that are not Claude's. */
const wanted: Readonly<Record<string, (recording: Recording) => boolean>> = {
  'bedrock.converse': () => true,
  'bedrock.invoke': ({ model }) => model?.includes('claude') === true,
  'anthropic.messages': ({ provider }) => provider === 'vertex',
  'gemini.generateContent': ({ provider }) => provider === 'vertex',
  'gemini.streamGenerateContent': ({ provider }) => provider === 'vertex',
  'cohere.chat.v2': () => true,
  'ollama.chat': () => true,
  'openai.chat': ({ provider }) => provider === 'cloudflare',
}

const chunkings = [
  ['event', Number.POSITIVE_INFINITY],
  ['random:3', Number.POSITIVE_INFINITY],
  ['byte:1', 6000],
] as const

describe.skipIf(!hasWire).each(chunkings)('recorded exchanges of the clouds, cut by %s', (chunking, largest) => {
  const recorded = useRecorded(chunking)

  const ask = async (
    recording: Recording,
    client: Client,
  ): Promise<{ response: Response; text: string; record: RequestRecord | undefined }> => {
    const { id, provider, stream } = recording
    const { list } = recorded.gateway.parts.channels
    list.splice(
      0,
      list.length,
      testChannel({ baseUrl: recorded.replay.url, ...channels[provider]?.(id, recorded.replay.url) }),
    )
    recorded.gateway.parts.recorder.records.length = 0
    const model = modelOf(recording)
    const response = await fetch(recorded.gateway.url + client.path(model, stream), {
      method: 'POST',
      headers: { authorization: 'Bearer sk-good', 'content-type': 'application/json' },
      body: JSON.stringify(client.body(model, stream)),
    })
    return { response, text: await response.text(), record: recorded.gateway.parts.recorder.records[0] }
  }

  const check = async (recording: Recording, client: Client): Promise<void> => {
    const { response, text, record } = await ask(recording, client)
    const { status, body } = recording.response
    if (refusesCredentials(recording.response)) {
      expect(response.status).toBe(502)
      expect(record).toMatchObject({ kind: 'error', quota: 0 })
      return
    }
    expect(response.status).toBe(status)
    if (status >= 400) {
      expect(record).toMatchObject({ kind: 'error', quota: 0 })
      expect(text).toContain(JSON.stringify(textOf(membersOf(body).message)).slice(1, -1))
      return
    }
    expect(receivedText(text, client, recording.stream)).toBe(recordedText(recording))
    const usage = recordedUsage(recording)
    expect(record).toMatchObject({ kind: 'charge', receipt: { estimated: usage === undefined } })
    if (usage === undefined) return
    expect({ prompt: record?.promptTokens, completion: record?.completionTokens }).toEqual(usage)
    expect(record?.other.cache_tokens).toBe(recording.usage.cached ?? 0)
  }

  it.each(clients.map((client) => [client.name, client] as const))(
    'reach a client of %s, and are billed as reported',
    async (_, client) => {
      const recordings = recorded.replay
        .ids()
        .map((id) => recorded.replay.get(id))
        .filter((recording) => wanted[recording.format]?.(recording) && recording.provider in channels)
        .filter(({ response }) => JSON.stringify(response).length < largest)
      expect(recordings.length).toBeGreaterThan(chunking === 'byte:1' ? 20 : 70)
      const wrong: string[] = []
      for (const recording of recordings) {
        await check(recording, client).catch((error: unknown) => wrong.push(`${recording.id}: ${error}`))
      }
      expect(wrong).toEqual([])
    },
  )
})
