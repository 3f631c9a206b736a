import Anthropic from '@anthropic-ai/sdk'
import type { MessageCreateParams } from '@anthropic-ai/sdk/resources/messages'
import { type GenerateContentParameters, GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions'
import type { ResponseCreateParams } from 'openai/resources/responses/responses'
import { parseChatAnswer } from './chat-answer.ts'
import { parseClaudeAnswer } from './claude-answer.ts'
import type { DialectName } from './dialect-name.ts'
import { parseGeminiAnswer } from './gemini-answer.ts'
import { type Json, objectAt, type ParsedAnswer } from './parsed-answer.ts'
import { parseResponsesAnswer } from './responses-answer.ts'

export interface Question {
  /** Address of the gateway. */
  readonly url: string
  readonly key: string
  readonly model: string
  readonly body: Json
  readonly stream: boolean
}

/** The answer as an official client returned it. */
export interface ReceivedAnswer {
  readonly answer: ParsedAnswer | undefined
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
  const received: Json[] = []
  for await (const piece of pieces) received.push(plain(piece))
  return received
}

const askChat = async ({ url, key, body, stream }: Question, through: Fetch): Promise<ParsedAnswer> => {
  const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0, timeout, fetch: through })
  const request = { ...body, stream } as unknown as ChatCompletionCreateParams
  const answer = await client.chat.completions.create(request)
  return parseChatAnswer(Symbol.asyncIterator in answer ? await all(answer) : [plain(answer)])
}

const askResponses = async ({ url, key, body, stream }: Question, through: Fetch): Promise<ParsedAnswer> => {
  const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0, timeout, fetch: through })
  const answer = await client.responses.create({ ...body, stream } as unknown as ResponseCreateParams)
  return parseResponsesAnswer(Symbol.asyncIterator in answer ? await all(answer) : [plain(answer)])
}

const askClaude = async ({ url, key, body, stream }: Question, through: Fetch): Promise<ParsedAnswer> => {
  const client = new Anthropic({ apiKey: key, baseURL: url, maxRetries: 0, timeout, fetch: through })
  const answer = await client.messages.create({ ...body, stream } as unknown as MessageCreateParams, { timeout })
  return parseClaudeAnswer(Symbol.asyncIterator in answer ? await all(answer) : [plain(answer)])
}

/** Removes settings that only Vertex accepts: the client itself refuses them. */
const withoutHosted = (settings: Json): Json => {
  const { imageOutputOptions: _, ...imageConfig } = objectAt(settings, 'imageConfig')
  return 'imageConfig' in settings ? { ...settings, imageConfig } : settings
}

const askGemini = async ({ url, key, body, stream, model }: Question, through: Fetch): Promise<ParsedAnswer> => {
  const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url, fetch: through } })
  const { contents, model: _, ...rest } = body
  const { generationConfig: _settings, ...others } = rest
  const settings = withoutHosted(objectAt(rest, 'generationConfig'))
  const request = { model, contents, config: { ...settings, ...others } }
  const parameters = request as unknown as GenerateContentParameters
  if (!stream) return parseGeminiAnswer([plain(await client.models.generateContent(parameters))])
  return parseGeminiAnswer(await all(await client.models.generateContentStream(parameters)))
}

const clients: Readonly<Record<DialectName, (question: Question, through: Fetch) => Promise<ParsedAnswer>>> = {
  'openai-chat': askChat,
  'openai-responses': askResponses,
  anthropic: askClaude,
  gemini: askGemini,
}

const statusOf = (error: unknown): number =>
  typeof error === 'object' && error !== null && 'status' in error ? Number(error.status) : 0

/** Sends the request with the unchanged official client of a dialect. */
export const ask = async (client: DialectName, question: Question): Promise<ReceivedAnswer> => {
  let headers = new Headers()
  const through: Fetch = async (url, init) => {
    const response = await fetch(url, init)
    headers = response.headers
    return response
  }
  const responseHeaders = () => ({
    requestId: headers.get('x-oneapi-request-id') ?? '',
    lost: headers.get('x-tollgate-lost-fields') ?? '',
  })
  try {
    const answer = await clients[client](question, through)
    return { answer, error: undefined, status: 200, ...responseHeaders() }
  } catch (error) {
    return { answer: undefined, error, status: statusOf(error), ...responseHeaders() }
  }
}
