import Anthropic from '@anthropic-ai/sdk'
import type { MessageCreateParams } from '@anthropic-ai/sdk/resources/messages'
import { type GenerateContentParameters, GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions'
import type { ResponseCreateParams } from 'openai/resources/responses/responses'
import type { DialectName } from './dialect-name.ts'
import { its, type Json, type Told } from './told.ts'
import { toldInChat } from './told-chat.ts'
import { toldByClaude } from './told-claude.ts'
import { toldByGemini } from './told-gemini.ts'
import { toldInResponses } from './told-responses.ts'

export interface Question {
  /** Of the gateway. */
  readonly url: string
  readonly key: string
  readonly model: string
  readonly body: Json
  readonly stream: boolean
}

/** What an official client made of an answer. */
export interface Heard {
  readonly told: Told | undefined
  /** The error that it threw. */
  readonly error: unknown
  readonly status: number
  readonly requestId: string
  readonly lost: string
}

type Fetch = typeof fetch

const timeout = 60_000

const plain = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json

const all = async (pieces: AsyncIterable<unknown>): Promise<Json[]> => {
  const heard: Json[] = []
  for await (const piece of pieces) heard.push(plain(piece))
  return heard
}

const askChat = async ({ url, key, body, stream }: Question, through: Fetch): Promise<Told> => {
  const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0, timeout, fetch: through })
  const asked = { ...body, stream } as unknown as ChatCompletionCreateParams
  const answer = await client.chat.completions.create(asked)
  return toldInChat(Symbol.asyncIterator in answer ? await all(answer) : [plain(answer)])
}

const askResponses = async ({ url, key, body, stream }: Question, through: Fetch): Promise<Told> => {
  const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0, timeout, fetch: through })
  const answer = await client.responses.create({ ...body, stream } as unknown as ResponseCreateParams)
  return toldInResponses(Symbol.asyncIterator in answer ? await all(answer) : [plain(answer)])
}

const askClaude = async ({ url, key, body, stream }: Question, through: Fetch): Promise<Told> => {
  const client = new Anthropic({ apiKey: key, baseURL: url, maxRetries: 0, timeout, fetch: through })
  const answer = await client.messages.create({ ...body, stream } as unknown as MessageCreateParams, { timeout })
  return toldByClaude(Symbol.asyncIterator in answer ? await all(answer) : [plain(answer)])
}

/** The client refuses by itself what only Vertex takes. */
const withoutHosted = (settings: Json): Json => {
  const { imageOutputOptions: _, ...imageConfig } = its(settings, 'imageConfig')
  return 'imageConfig' in settings ? { ...settings, imageConfig } : settings
}

const askGemini = async ({ url, key, body, stream, model }: Question, through: Fetch): Promise<Told> => {
  const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url, fetch: through } })
  const { contents, model: _, ...rest } = body
  const { generationConfig: _settings, ...others } = rest
  const settings = withoutHosted(its(rest, 'generationConfig'))
  const asked = { model, contents, config: { ...settings, ...others } }
  const parameters = asked as unknown as GenerateContentParameters
  if (!stream) return toldByGemini([plain(await client.models.generateContent(parameters))])
  return toldByGemini(await all(await client.models.generateContentStream(parameters)))
}

const clients: Readonly<Record<DialectName, (question: Question, through: Fetch) => Promise<Told>>> = {
  'openai-chat': askChat,
  'openai-responses': askResponses,
  anthropic: askClaude,
  gemini: askGemini,
}

const statusOf = (error: unknown): number =>
  typeof error === 'object' && error !== null && 'status' in error ? Number(error.status) : 0

/** Asks with the official client of a dialect, as it is. */
export const ask = async (client: DialectName, question: Question): Promise<Heard> => {
  let headers = new Headers()
  const through: Fetch = async (url, init) => {
    const response = await fetch(url, init)
    headers = response.headers
    return response
  }
  const known = () => ({
    requestId: headers.get('x-oneapi-request-id') ?? '',
    lost: headers.get('x-tollgate-lost-fields') ?? '',
  })
  try {
    const told = await clients[client](question, through)
    return { told, error: undefined, status: 200, ...known() }
  } catch (error) {
    return { told: undefined, error, status: statusOf(error), ...known() }
  }
}
