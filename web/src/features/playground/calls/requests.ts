import type { ChatMessage } from '../conversation/message.ts'
import { chatRequest } from '../conversation/request.ts'
import type { PlaygroundSettings } from '../settings.ts'
import { type CallKind, pathOf } from './call-kinds.ts'
import { pictureOptions } from './picture-options.ts'

export interface PlaygroundRequest {
  readonly kind: CallKind
  /** As clients call it: `/v1/…`. */
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
}

/** Models of other makers than OpenAI may know other voices; this one is known to nearly all. */
export const usualVoice = 'alloy'

const lastQuestion = (messages: readonly ChatMessage[]): string =>
  messages.findLast(({ role }) => role === 'user')?.content ?? ''

/** The size that is asked for, where the model knows it; undefined leaves it to the model. */
export const sizeOf = (settings: PlaygroundSettings, model: string): string | undefined => {
  const { sizes } = pictureOptions(model)
  const size = settings.size?.trim()
  return size && (sizes?.includes(size) ?? true) ? size : undefined
}

export const qualityOf = (settings: PlaygroundSettings, model: string): string | undefined =>
  pictureOptions(model).qualities.find((quality) => quality === settings.quality)

export const picturesOf = (settings: PlaygroundSettings, model: string): number =>
  Math.min(settings.pictures ?? 1, pictureOptions(model).most)

const imageBody = (settings: PlaygroundSettings, model: string, prompt: string): PlaygroundRequest['body'] => {
  const [size, quality, n] = [sizeOf(settings, model), qualityOf(settings, model), picturesOf(settings, model)]
  return {
    prompt,
    ...(n === 1 ? {} : { n }),
    ...(size === undefined ? {} : { size }),
    ...(quality === undefined ? {} : { quality }),
    // A picture behind an address is gone after an hour, and cannot be saved from another site.
    ...(pictureOptions(model).sendsAddresses ? { response_format: 'b64_json' } : {}),
  }
}

/** The first line is the query, each further one a document. */
const rerankBody = (text: string): PlaygroundRequest['body'] => {
  const [query = '', ...documents] = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return { query, documents }
}

const bodyOf = (
  kind: Exclude<CallKind, 'chat'>,
  settings: PlaygroundSettings,
  text: string,
  model: string,
): PlaygroundRequest['body'] => {
  if (kind === 'image') return imageBody(settings, model, text)
  if (kind === 'speech') return { input: text, voice: settings.voice?.trim() || usualVoice }
  return kind === 'rerank' ? rerankBody(text) : { input: text }
}

/** The request of a kind. Only a conversation knows what was said before; all others take the last question. */
export const requestOf = (
  kind: CallKind,
  settings: PlaygroundSettings,
  messages: readonly ChatMessage[],
  model = settings.model,
): PlaygroundRequest => {
  const body =
    kind === 'chat'
      ? chatRequest(settings, messages, model)
      : { model, group: settings.group, ...bodyOf(kind, settings, lastQuestion(messages), model) }
  return { kind, path: pathOf[kind], body }
}
