import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { InexpressibleError } from '../../server/src/dialects/conversation/gaps/inexpressible.ts'
import { AppError } from '../../server/src/lib/app-error.ts'
import type { RelayCall } from '../../server/src/relay/call.ts'
import { exchangeFor } from '../../server/src/relay/exchange/exchange-for.ts'
import { testCaller, testChannel, testModels } from '../../server/test/support/relay/ports.ts'
import type { Json } from '../strict/model.ts'
import { type ClientBody, clientBodies } from './conversations/client-bodies.ts'
import { judges, nullsIn } from './conversations/judges.ts'
import { messyTurns, type Turn } from './conversations/messy-conversations.ts'
import { unsaidIn } from './conversations/unsaid.ts'

/** Careless conversations of every client, as every provider gets them. */

interface Place {
  readonly type: number
  readonly model: string
  readonly language: string
  readonly judge: keyof typeof judges
}

const places: readonly Place[] = [
  { type: 1, model: 'gpt-4o', language: 'openai-chat', judge: 'chat' },
  { type: 43, model: 'deepseek-v4-pro', language: 'openai-chat', judge: 'chat' },
  { type: 42, model: 'mistral-large-latest', language: 'openai-chat', judge: 'mistral' },
  { type: 25, model: 'kimi-k2.6', language: 'openai-chat', judge: 'others' },
  { type: 20, model: 'x/y', language: 'openai-chat', judge: 'others' },
  { type: 8, model: 'local', language: 'openai-chat', judge: 'others' },
  { type: 47, model: 'local', language: 'openai-chat', judge: 'others' },
  { type: 17, model: 'qwen3.6-plus', language: 'openai-chat', judge: 'others' },
  { type: 35, model: 'MiniMax-M3', language: 'openai-chat', judge: 'others' },
  { type: 8, model: 'magistral-medium-latest', language: 'openai-chat', judge: 'mistral' },
  { type: 20, model: 'mistralai/devstral-2', language: 'openai-chat', judge: 'mistral' },
  { type: 4, model: 'llama', language: 'ollama', judge: 'others' },
  { type: 34, model: 'command-a', language: 'cohere', judge: 'others' },
  { type: 1, model: 'gpt-5.2-pro', language: 'openai-responses', judge: 'responses' },
  { type: 14, model: 'claude-sonnet-4-5', language: 'anthropic', judge: 'claude' },
  { type: 14, model: 'claude-opus-5-5', language: 'anthropic', judge: 'claude' },
  { type: 33, model: 'claude-opus-4-6', language: 'anthropic', judge: 'bedrockClaude' },
  { type: 33, model: 'amazon.nova-pro-v1:0', language: 'bedrock', judge: 'converse' },
  { type: 24, model: 'gemini-2.5-flash', language: 'gemini', judge: 'gemini' },
  { type: 24, model: 'gemini-3-pro', language: 'gemini', judge: 'gemini' },
]

const settings = { passThrough: false, cacheMarks: new Map(), forceStreamOption: true, models: testModels }

/** The request that the provider gets; undefined where the call is refused with a reason. */
const requestOf = ({ dialect, path, body }: ClientBody, { type, model }: Place, turns: readonly Turn[]) => {
  const asked = body(turns, model)
  const call: RelayCall = {
    id: 'req-1',
    startedAt: 0,
    caller: testCaller,
    ip: '',
    model,
    stream: false,
    endpoint: 'conversation',
    dialect,
    path,
    query: '',
    accept: '*/*',
    passed: {},
    raw: Buffer.from(JSON.stringify(asked)),
    body: asked,
  }
  try {
    const keys = type === 33 ? ['AK|SK|us-east-1'] : ['k']
    const { request, unsupported } = exchangeFor(call, testChannel({ type, keys, baseUrl }), settings)
    return { sent: JSON.parse(String(request.body)) as Json, unsupported }
  } catch (error) {
    if (error instanceof InexpressibleError || (error instanceof AppError && error.code === 'invalid_text_request'))
      return undefined
    throw error
  }
}

/** OpenAI speaks both of its dialects. */
const isNative = ({ dialect }: ClientBody, type: number): boolean => type === 1 && dialect.name.startsWith('openai')

/** A public address: types for any provider mean an engine of the operator's own at private ones. */
const baseUrl = 'https://provider.example'

/** Words of the conversation that the client said: each letter row with its mark. */
const wordsIn = (value: unknown): string[] => JSON.stringify(value).match(/[b-df-hj-np-tv-z]{6}ü/g) ?? []

describe.each(clientBodies)('a careless client of $dialect.name', (client) => {
  const translated = places.filter(({ language, type }) => language !== client.dialect.name && !isNative(client, type))

  it.each(translated)('asks $model at type $type only what it takes', (place) => {
    fc.assert(
      fc.property(messyTurns, (turns) => {
        const request = requestOf(client, place, turns)
        if (request === undefined) return
        const { sent, unsupported } = request
        const complaint = judges[place.judge]?.(sent, place.model) ?? nullsIn(sent)
        expect({ complaint, sent }).toEqual({ complaint: undefined, sent })
        expect({ unsaid: unsaidIn(sent), sent }).toEqual({ unsaid: [], sent })
        const clientTexts = turns.flatMap((turn) =>
          turn.kind === 'user' ? turn.bits.map(({ text }) => text) : turn.kind === 'assistant' ? turn.texts : [],
        )
        const sentWords = new Set(wordsIn(sent))
        const missing = clientTexts.filter((word) => word.trim() !== '' && word !== 'spoken' && !sentWords.has(word))
        expect({ missing, unsupported, sent }).toEqual({ missing: [], unsupported, sent })
      }),
      { numRuns: Number(process.env.MESSY_RUNS ?? 60) },
    )
  })
})
