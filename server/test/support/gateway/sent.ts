import type { RelayChannel } from '../../../src/relay/ports.ts'
import { generated, message, response } from './dialects.ts'
import { channel, gateway, lastRecord, sentBody, upstream, useChannels } from './scene.ts'
import { completion, json, type Received } from './upstream.ts'

/** A body of any shape: a member that is not there is undefined, whatever the type says, and the test that looks into it fails. */
export interface SentJson {
  readonly [member: string]: SentJson
  readonly [index: number]: SentJson
}

/** Request as a channel's provider received it, and the fields that the client was informed were unsupported. */
export interface Sent {
  readonly raw: string
  readonly body: SentJson
  readonly headers: Received['headers']
  readonly lost: readonly string[]
  readonly status: number
}

/** Good answers in the languages of providers, by the address that is called. */
const answers: readonly (readonly [RegExp, unknown])[] = [
  [/\/token$/, { access_token: 'ya29.x', expires_in: 3600 }],
  [/:generateContent/, generated],
  [/\/messages$|\/invoke|rawPredict/, message],
  [/\/responses$/, response],
  [/\/api\/chat$/, { model: 'm', message: { role: 'assistant', content: 'Hi' }, done: true }],
  [/\/converse$/, { output: { message: { role: 'assistant', content: [{ text: 'Hi' }] } }, stopReason: 'end_turn' }],
  [
    /\/v2\/chat$/,
    { message: { role: 'assistant', content: [{ type: 'text', text: 'Hi' }] }, finish_reason: 'COMPLETE' },
  ],
  [
    /\/services\/aigc\//,
    { output: { choices: [{ message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }] } },
  ],
]

const answer = (received: Received): void => {
  const [, body = completion('Hi')] = answers.find(([pattern]) => pattern.test(received.path)) ?? []
  json(body)(received)
}

export const chatPath = '/v1/chat/completions'
export const responsesPath = '/v1/responses'
export const messagesPath = '/v1/messages'
export const geminiPath = (model: string): string => `/v1beta/models/${model}:generateContent`

/** Sends a call through a channel of this type. */
export const sent = async (
  at: number | Partial<RelayChannel>,
  path: string,
  body: Record<string, unknown> | string,
  headers: Record<string, string> = {},
): Promise<Sent> => {
  useChannels(channel(typeof at === 'number' ? { type: at } : at))
  upstream.answer = answer
  const reply = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-good', 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  await reply.arrayBuffer()
  const raw = sentBody()
  return {
    raw,
    body: JSON.parse(raw),
    headers: upstream.received.at(-1)?.headers ?? {},
    lost: (lastRecord()?.other.lost_fields as string[] | undefined) ?? [],
    status: reply.status,
  }
}
