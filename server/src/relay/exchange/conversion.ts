import type { Dialect } from '../../dialects/dialect.ts'
import type { Language, Provider } from '../../providers/provider.ts'
import type { RelayCall } from '../call.ts'
import type { RelayChannel } from '../ports.ts'
import { isEdit } from '../usage/pictures.ts'

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
