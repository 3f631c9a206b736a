import { holdsMarkedSignature } from '../../dialects/conversation/signatures.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import { isMusicPath } from '../../dialects/gemini/paths.ts'
import type { PassthroughDialect } from '../../dialects/passthrough.ts'
import { AppError } from '../../lib/app-error.ts'
import type { Provider, ProviderDialect } from '../../providers/provider.ts'
import { askedModel, type RelayCall } from '../call.ts'
import type { RelayChannel } from '../ports.ts'
import { mappedModel } from '../routing/model-mapping.ts'
import { isEdit, isVariation } from '../usage/pictures.ts'
import type { Exchange } from './exchange.ts'
import { infillExchange } from './media/infill-exchange.ts'
import { mediaExchange } from './media/media-exchange.ts'
import { PassthroughExchange, passthroughExchange, type RequestSettings } from './passthrough.ts'
import { passthroughOf } from './passthrough-dialect.ts'
import { translatedExchange } from './translated.ts'
import { uploadExchange } from './upload.ts'

/** Exchange for embeddings in another dialect than OpenAI's, at a provider that accepts them unchanged; otherwise undefined. */
export const embeddingsAsIs = (call: RelayCall, channel: RelayChannel, model: string): Exchange | undefined => {
  const { embeds, query, accept } = call
  if (embeds === undefined || channel.provider.embedsIn !== embeds.client.dialect) return undefined
  const { client, raw, path } = embeds
  const body = call.model === model ? raw : client.withModel(raw, model)
  const request = { model, path, query, accept, contentType: 'application/json', body }
  const vectors = passthroughOf(call)
  const dialect: PassthroughDialect = {
    ...vectors,
    usage: (answer) => vectors.usage(answer) ?? client.usage(answer),
    isAnswer: () => true,
  }
  return new PassthroughExchange({ call, channel, dialect, request })
}

/**
 * Exchange for a call at a channel: the only place that decides between passthrough, translation, media adapter and upload, except for
 * plain calls whose way is cached (`plain/plain-way.ts`). Throws AppError if the channel cannot take the call.
 */
export const exchangeFor = (call: RelayCall, channel: RelayChannel, settings: RequestSettings): Exchange => {
  const model = mappedModel(channel.modelMapping, askedModel(call))
  const { dialect } = call
  if (call.asIs === true) {
    const own = languagesOf(channel, model).find(({ name }) => name === dialect?.name)
    const reader = dialect?.passthrough ?? passthroughOf(call)
    return passthroughExchange(call, channel, reader, call.model, own, { ...settings, passThrough: true })
  }
  return dialect === undefined
    ? callExchange(call, channel, model, settings)
    : conversationExchange(call, { channel, model }, dialect, settings)
}

/** A channel, and the model as its provider knows it. */
interface ModelPlace {
  readonly channel: RelayChannel
  readonly model: string
}

const conversationExchange = (
  call: RelayCall,
  { channel, model }: ModelPlace,
  dialect: Dialect,
  settings: RequestSettings,
): Exchange => {
  const languages = languagesOf(channel, model)
  const own = languages.find(({ name }) => name === dialect.name)
  const targets =
    settings.passThrough && own !== undefined ? none : targetsFor(call, dialect, { languages, own }, model)
  if (targets.length === 0) return passthroughExchange(call, channel, dialect.passthrough, model, own, settings)
  // Calls beside a conversation can only be made in the language they belong to.
  if (!dialect.paths.isTranslatable(call.path)) {
    throw new AppError('endpoint_not_served', { params: { model: call.model, path: call.path } })
  }
  return translatedExchange(call, { channel, model, languages: targets }, dialect, settings)
}

/** Calls without a conversation. */
const callExchange = (call: RelayCall, channel: RelayChannel, model: string, settings: RequestSettings): Exchange => {
  const adapted =
    embeddingsAsIs(call, channel, model) ??
    infillExchange(call, channel, model) ??
    mediaExchange(call, channel, model, settings.models)
  if (adapted !== undefined) return adapted
  if (call.form !== undefined) return uploadExchange(call, call.form, channel, model)
  return passthroughExchange(call, channel, passthroughOf(call), model, undefined, settings)
}

/** Languages that a model has at a channel. All keys of a channel are of one kind, so the first decides. */
export const languagesOf = (channel: ServedChannel, model: string): readonly ProviderDialect[] =>
  channel.provider.languagesOf?.(model, { channel, key: channel.keys[0] ?? '' }) ?? channel.provider.languages

type ServedChannel = Pick<RelayChannel, 'provider' | 'keys' | 'baseUrl' | 'organization' | 'other'>

const none: readonly ProviderDialect[] = []

/** The languages to translate a conversation into, the preferred one first; empty where it passes through as it is. */
const targetsFor = (
  call: RelayCall,
  dialect: Dialect,
  { languages, own }: { readonly languages: readonly ProviderDialect[]; readonly own: ProviderDialect | undefined },
  model: string,
): readonly ProviderDialect[] => {
  if (own === undefined) return languages
  if (own.refuses?.(model, call.body) === true) {
    const others = languages.filter((language) => language !== own)
    if (others.length > 0) return others
  }
  // Written again in its own language, without the thoughts of another maker.
  return bringsForeignThoughts(call) && dialect.paths.isTurn(call.path) ? [own] : none
}

/**
 * True if a call returns thinking blocks of another maker than the provider, as happens when a conversation changes its model or
 * channel. The provider would refuse them.
 */
const bringsForeignThoughts = ({ raw, text, survey, recalled }: ThinkingCall): boolean => {
  if (recalled !== undefined && holdsMarkedSignature(JSON.stringify([...recalled.values()]))) return true
  return survey === undefined ? holdsMarkedSignature(text ?? raw) : survey.hasMarkedSignature
}

type ThinkingCall = Pick<RelayCall, 'raw' | 'text' | 'survey' | 'recalled'>

/** True if a channel's provider takes a call as its client wrote it, and answers in a way that is read here. */
export const goesAsIs = (
  channel: ServedChannel,
  { dialect, endpoint, path }: Pick<RelayCall, 'endpoint' | 'dialect' | 'path'>,
): boolean => {
  if (channel.provider.envelope === true) return false
  if (dialect !== undefined) return takesAsIs(channel, dialect)
  return channel.provider.otherCalls && !hasAdapterFor(channel.provider, { endpoint, path })
}

/** True if a channel takes conversations in a dialect as they are. */
export const takesAsIs = (channel: ServedChannel, dialect: Dialect | undefined): boolean =>
  dialect === undefined || languagesOf(channel, '').some(({ name }) => name === dialect.name)

/** True if a provider can answer such a call, in the client's dialect or in another. */
export const serves = (provider: Provider, call: Pick<RelayCall, 'endpoint' | 'dialect' | 'path'>): boolean => {
  if (call.endpoint === 'live') return provider.live !== undefined && (provider.live.music || !isMusicPath(call.path))
  if (call.endpoint === 'cached_content') return provider.cachesContents !== undefined
  return call.dialect === undefined
    ? provider.otherCalls || hasAdapterFor(provider, call)
    : provider.languages.length > 0
}

const hasAdapterFor = (provider: Provider, call: Pick<RelayCall, 'endpoint' | 'path'>): boolean => {
  const { embeddings, rerank, pictures, transcripts, speech } = provider
  // No provider but OpenAI and those like it makes variations.
  if (isVariation(call)) return false
  if (call.endpoint === 'images') return pictures !== undefined && (pictures.edits !== undefined || !isEdit(call))
  const adapters = { embeddings, rerank, transcripts, speech }
  return Object.hasOwn(adapters, call.endpoint) && adapters[call.endpoint as keyof typeof adapters] !== undefined
}
