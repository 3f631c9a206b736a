import { AppError } from '../../lib/app-error.ts'
import type { Language } from '../../providers/provider.ts'
import type { RelayCall } from '../call.ts'
import type { RelayChannel } from '../ports.ts'
import { mappedModel } from '../routing/model-mapping.ts'
import { foreignLanguages, ownLanguage } from './conversion.ts'
import type { Exchange } from './exchange.ts'
import { mediaExchange } from './media/media-exchange.ts'
import { PassthroughExchange } from './passthrough.ts'
import { geminiEmbeddings, passthroughRequest, type RequestSettings } from './passthrough-request.ts'
import { translatedExchange } from './translated.ts'
import { uploadExchange } from './upload.ts'

/** Signatures of other makers in a body: with our mark in front, or with that in base64 (dialects/conversation/signatures.ts). */
const marks = ['"tollgate:', '"dG9sbGdhdGU']
const markBytes = marks.map((mark) => Buffer.from(mark))

/**
 * Whether a call gives back thoughts of another maker than the one it goes to, as it happens when a conversation has changed
 * its model or its channel. The provider would refuse them.
 */
const bringsForeignThoughts = ({ raw, text }: Pick<RelayCall, 'raw' | 'text'>): boolean =>
  text === undefined ? markBytes.some((mark) => raw.includes(mark)) : marks.some((mark) => text.includes(mark))

const noLanguages: readonly Language[] = []

/** The client's own language, where its body cannot go through as it is. */
const rewrittenLanguages = (
  call: RelayCall,
  channel: RelayChannel,
  mapped: string,
  passThrough: boolean,
): readonly Language[] => {
  const { dialect, path } = call
  if (passThrough || dialect === undefined || !bringsForeignThoughts(call)) return noLanguages
  const own = dialect.paths.isTurn(path) ? ownLanguage(channel, dialect, mapped) : undefined
  return own === undefined ? noLanguages : [own]
}

/**
 * How a call is made at a channel: the only place that decides between passthrough, translation, media adapter and upload.
 * Throws AppError for what the channel cannot be asked.
 */
export const exchangeFor = (call: RelayCall, channel: RelayChannel, settings: RequestSettings): Exchange => {
  const { passThrough, models } = settings
  const mapped = mappedModel(channel.modelMapping, call.model)
  const foreign = foreignLanguages(channel, call.dialect, mapped, passThrough ? undefined : call.body)
  const languages = foreign.length > 0 ? foreign : rewrittenLanguages(call, channel, mapped, passThrough)
  // Calls beside a conversation can only be made in the language they belong to.
  if (languages.length > 0 && call.dialect?.paths.isTranslatable(call.path) === false) {
    throw new AppError('endpoint_not_served', { params: { model: call.model, path: call.path } })
  }
  if (languages.length > 0) return translatedExchange(call, channel, mapped, languages, models)
  const embeddings = geminiEmbeddings(call, channel, mapped)
  if (embeddings !== undefined) return new PassthroughExchange(embeddings)
  const media = mediaExchange(call, channel, mapped, models)
  if (media !== undefined) return media
  if (call.form !== undefined) return uploadExchange(call, call.form, channel, mapped)
  const own = ownLanguage(channel, call.dialect, mapped)
  return new PassthroughExchange(passthroughRequest(call, channel, mapped, own, settings))
}
