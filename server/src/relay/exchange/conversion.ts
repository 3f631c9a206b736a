import { adapted } from '../../dialects/adapted.ts'
import type { Answer, Conversation } from '../../dialects/conversation/conversation.ts'
import { heardAnswer } from '../../dialects/conversation/heard.ts'
import { createLosses } from '../../dialects/conversation/losses.ts'
import type { ClientDialect, Dialect, UpstreamDialect } from '../../dialects/dialect.ts'
import { eventFrames, type Frames } from '../../dialects/frames.ts'
import type { Language, ModelOptions, Provider } from '../../providers/provider.ts'
import type { RelayCall } from '../call.ts'
import type { RelayChannel } from '../ports.ts'
import { isEdit } from '../usage/pictures.ts'

/** A call in one language that is made in another. */
export interface Conversion {
  readonly conversation: Conversation
  readonly client: ClientDialect
  readonly upstream: UpstreamDialect
  readonly frames: () => Frames
  /** Fields of the client that the upstream's language cannot say, and of an answer that the client's cannot. */
  readonly lost: readonly string[]
}

const hasWordsFor = (provider: Provider, call: Pick<RelayCall, 'endpoint' | 'path'>): boolean => {
  const { embeddings, rerank, pictures, transcripts, speech } = provider
  if (call.endpoint === 'images') return pictures !== undefined && (pictures.edits !== undefined || !isEdit(call))
  const words = { embeddings, rerank, transcripts, speech }
  return Object.hasOwn(words, call.endpoint) && words[call.endpoint as keyof typeof words] !== undefined
}

/** Whether a provider can answer such a call, in its own language or in another. */
export const serves = (provider: Provider, call: Pick<RelayCall, 'endpoint' | 'dialect' | 'path'>): boolean =>
  call.dialect === undefined ? provider.otherCalls || hasWordsFor(provider, call) : provider.languages.length > 0

type Reached = Pick<RelayChannel, 'provider' | 'keys' | 'baseUrl' | 'organization' | 'other'>

/** All keys of a channel are of one kind. */
const spoken = (channel: Reached, model: string): readonly Language[] =>
  channel.provider.languagesOf?.(model, { channel, key: channel.keys[0] ?? '' }) ?? channel.provider.languages

/** The client's own language, if the model speaks it at this channel. */
export const ownLanguage = (channel: Reached, dialect: Dialect | undefined, model: string): Language | undefined =>
  spoken(channel, model).find(({ name }) => name === dialect?.name)

const none: readonly Language[] = []

/**
 * The languages that a call can be turned into, the preferred one first; empty when its own is spoken, and the model takes there
 * what `body` asks for.
 */
export const foreignLanguages = (
  channel: Reached,
  dialect: Dialect | undefined,
  model = '',
  body?: RelayCall['body'],
): readonly Language[] => {
  if (dialect === undefined) return none
  const own = ownLanguage(channel, dialect, model)
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
  const { dialect: client } = call
  if (client === undefined) throw new Error(`${call.endpoint} is no conversation`)
  client.checkTranslatable(call.body)
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
