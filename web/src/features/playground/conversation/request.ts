import type { PlaygroundSettings } from '../settings.ts'
import type { ChatMessage } from './message.ts'

type WireContent =
  | string
  | readonly ({ type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } })[]

/** Pictures go with questions; those of answers are not sent back, since models refuse them there. */
const wireContent = ({ role, content, images }: ChatMessage): WireContent =>
  role === 'user' && images?.length
    ? [{ type: 'text', text: content }, ...images.map((url) => ({ type: 'image_url' as const, image_url: { url } }))]
    : content

const isWorthSending = ({ role, status, content, images }: ChatMessage): boolean =>
  status !== 'error' && (content !== '' || (role === 'user' && (images?.length ?? 0) > 0))

type WireMessage = { readonly role: ChatMessage['role']; readonly content: WireContent }

const partsOf = (content: WireContent): Exclude<WireContent, string> =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content

const joined = (first: WireContent, second: WireContent): WireContent =>
  typeof first === 'string' && typeof second === 'string'
    ? `${first}\n\n${second}`
    : [...partsOf(first), ...partsOf(second)]

/** Merges a question whose answer failed into the next one: models refuse two turns of the same role in a row. */
const inTurns = (messages: readonly WireMessage[]): WireMessage[] => {
  const turns: WireMessage[] = []
  for (const { role, content } of messages) {
    const last = turns.at(-1)
    if (last?.role === role) turns[turns.length - 1] = { role, content: joined(last.content, content) }
    else turns.push({ role, content })
  }
  return turns
}

const linesOf = (text: string | undefined): string[] => (text ?? '').split('\n').filter((line) => line !== '')

const fieldUnlessUnset = (field: string, value: unknown): Record<string, unknown> =>
  value === undefined ? {} : { [field]: value }

/** The request body: the system prompt unless empty, then the conversation without failed and empty answers. */
export const chatRequest = (
  settings: PlaygroundSettings,
  messages: readonly ChatMessage[],
  model = settings.model,
): Record<string, unknown> => {
  const stop = linesOf(settings.stop)
  return {
    model,
    group: settings.group,
    messages: [
      ...(settings.system.trim() === '' ? [] : [{ role: 'system', content: settings.system }]),
      ...inTurns(
        messages.filter(isWorthSending).map((message) => ({ role: message.role, content: wireContent(message) })),
      ),
    ],
    stream: true,
    stream_options: { include_usage: true },
    temperature: settings.temperature,
    // 0 means "no limit", which upstreams express by omitting the field.
    ...(settings.max_tokens > 0 ? { max_tokens: Math.trunc(settings.max_tokens) } : {}),
    ...fieldUnlessUnset('top_p', settings.top_p),
    ...fieldUnlessUnset('frequency_penalty', settings.frequency_penalty),
    ...fieldUnlessUnset('presence_penalty', settings.presence_penalty),
    ...fieldUnlessUnset('seed', settings.seed),
    ...(stop.length > 0 ? { stop } : {}),
    ...fieldUnlessUnset('reasoning_effort', settings.reasoning_effort),
    ...(settings.json ? { response_format: { type: 'json_object' } } : {}),
  }
}
