import { adapted } from '../../dialects/adapted.ts'
import { anthropicClient } from '../../dialects/anthropic/dialect.ts'
import type { Answer, Conversation, DialectName } from '../../dialects/conversation/conversation.ts'
import { heardAnswer } from '../../dialects/conversation/heard.ts'
import { membersOf } from '../../dialects/conversation/json.ts'
import { createLosses } from '../../dialects/conversation/losses.ts'
import type { ClientDialect, UpstreamDialect } from '../../dialects/dialect.ts'
import { eventFrames, type Frames } from '../../dialects/frames.ts'
import { geminiClient } from '../../dialects/gemini/dialect.ts'
import { openaiChatClient } from '../../dialects/openai-chat/dialect.ts'
import { openaiResponsesClient } from '../../dialects/openai-responses/dialect.ts'
import { continues } from '../../dialects/openai-responses/read-request.ts'
import { AppError } from '../../lib/app-error.ts'
import type { Language, ModelOptions, Provider } from '../../providers/provider.ts'
import type { RelayCall, RelayEndpoint } from '../call.ts'
import type { RelayChannel } from '../ports.ts'
import { isEdit } from '../usage/pictures.ts'

/** The dialect of a client that has a conversation; other calls have none. */
const dialectOfEndpoint: Readonly<Partial<Record<RelayEndpoint, DialectName>>> = {
  chat: 'openai-chat',
  messages: 'anthropic',
  gemini: 'gemini',
  responses: 'openai-responses',
}

const clients: Readonly<Partial<Record<DialectName, ClientDialect>>> = {
  'openai-chat': openaiChatClient,
  anthropic: anthropicClient,
  gemini: geminiClient,
  'openai-responses': openaiResponsesClient,
}

/** A call in one language that is made in another. */
export interface Conversion {
  readonly conversation: Conversation
  readonly client: ClientDialect
  readonly upstream: UpstreamDialect
  readonly frames: () => Frames
  /** Fields of the client that the upstream's language cannot say, and of an answer that the client's cannot. */
  readonly lost: readonly string[]
}

export const clientDialectOf = (endpoint: RelayEndpoint): ClientDialect | undefined => {
  const name = dialectOfEndpoint[endpoint]
  return name && clients[name]
}

const hasWordsFor = (provider: Provider, call: Pick<RelayCall, 'endpoint' | 'path'>): boolean => {
  const { embeddings, rerank, pictures, transcripts, speech } = provider
  if (call.endpoint === 'images') return pictures !== undefined && (pictures.edits !== undefined || !isEdit(call))
  const words = { embeddings, rerank, transcripts, speech }
  return Object.hasOwn(words, call.endpoint) && words[call.endpoint as keyof typeof words] !== undefined
}

/** Whether a provider can answer such a call, in its own language or in another. */
export const serves = (provider: Provider, call: Pick<RelayCall, 'endpoint' | 'path'>): boolean =>
  dialectOfEndpoint[call.endpoint] === undefined
    ? provider.otherCalls || hasWordsFor(provider, call)
    : provider.languages.length > 0

type Reached = Pick<RelayChannel, 'provider' | 'keys' | 'baseUrl' | 'organization' | 'other'>

/** All keys of a channel are of one kind. */
const spoken = (channel: Reached, model: string): readonly Language[] =>
  channel.provider.languagesOf?.(model, { channel, key: channel.keys[0] ?? '' }) ?? channel.provider.languages

/** The client's own language, when a model speaks it there. */
export const ownLanguage = (channel: Reached, endpoint: RelayEndpoint, model: string): Language | undefined => {
  const own = dialectOfEndpoint[endpoint]
  return spoken(channel, model).find(({ name }) => name === own)
}

const none: readonly Language[] = []

/**
 * The languages that a call can be turned into, the preferred one first; empty when its own is spoken, and the model takes there
 * what `body` asks for.
 */
export const foreignLanguages = (
  channel: Reached,
  endpoint: RelayEndpoint,
  model = '',
  body?: RelayCall['body'],
): readonly Language[] => {
  if (dialectOfEndpoint[endpoint] === undefined) return none
  const own = ownLanguage(channel, endpoint, model)
  if (own === undefined) return spoken(channel, model)
  if (body === undefined || own.refuses?.(model, body) !== true) return none
  return spoken(channel, model).filter((language) => language !== own)
}

/** The first language in which the model gets most of the provider's tools that are asked for. */
const languageFor = (languages: readonly Language[], { tools }: Conversation, model: string): Language | undefined => {
  const [first] = languages
  if (languages.length === 1) return first
  const lacking = ({ lacks }: Language): number =>
    lacks === undefined ? 0 : tools.filter((tool) => tool.kind === 'built_in' && lacks(tool.type, model)).length
  return languages.toSorted((a, b) => lacking(a) - lacking(b))[0]
}

/**
 * The request in one of the upstream's languages, the one that suits it best. Throws AppError for what the client's dialect does
 * not allow.
 */
export const convert = (
  call: RelayCall,
  model: string,
  languages: readonly Language[],
  options: ModelOptions,
): { conversion: Conversion; language: Language; body: Readonly<Record<string, unknown>> } => {
  const client = clientDialectOf(call.endpoint)
  if (client === undefined) throw new Error(`${call.endpoint} is no conversation`)
  const kept = call.endpoint === 'responses' ? continues(call.body) : undefined
  if (kept !== undefined) throw new AppError('state_not_kept', { params: { field: kept } })
  if (call.endpoint === 'messages' && membersOf(call.body.thread).type === 'continue')
    throw new AppError('thread_not_kept')
  const conversation = client.readRequest(call.body, { model, stream: call.stream })
  const language = languageFor(languages, conversation, model)
  if (language === undefined) throw new Error(`the channel of ${model} has no language`)
  const losses = createLosses()
  const { conversation: asked, dialect: upstream } = adapted(conversation, language.dialect(options), losses)
  const body = upstream.writeRequest(asked, losses)
  const { frames = eventFrames } = language
  return { conversion: { conversation, client, upstream, frames, lost: losses.list() }, language, body }
}

/** Of a body that nobody had to understand. */
export const nothingTold = { answer: undefined, conversion: undefined }

/** An answer in another language, and what of it the client will not hear. */
export const understood = (answer: Answer, conversion: Conversion): { answer: Answer; conversion: Conversion } => {
  const { lost } = heardAnswer(answer, conversion.client.name)
  return {
    answer,
    conversion: lost.length === 0 ? conversion : { ...conversion, lost: [...conversion.lost, ...lost].sort() },
  }
}
