import type { Recording } from '../../server/test/support/relay/wire.ts'

/** Subjects of exchanges; every dialect has each of them, streamed and not. */
export const subjects = ['text', 'tool', 'parallel-tools', 'thinking', 'refusal', 'truncated', 'error'] as const
export type Subject = (typeof subjects)[number]

/** One written exchange: what a client asks of a provider, and the provider's answer as a whole or in pieces. */
export interface Exchange extends Recording {
  readonly subject: Subject
}

type Json = Readonly<Record<string, unknown>>

/** Source of a dialect's exchanges. */
export interface Origin {
  readonly provider: string
  readonly format: string
  readonly model: string
  /** Members that turn the request of a whole answer into that of a stream. */
  readonly streaming: Json
}

const idOf = ({ provider, format }: Origin, subject: Subject, stream: boolean): string =>
  `${provider}-${format}-${subject}${stream ? '-stream' : ''}`.replaceAll('.', '-')

/** A whole answer. */
export const whole = (origin: Origin, subject: Subject, request: Json, body: Json, status = 200): Exchange => ({
  id: idOf(origin, subject, false),
  provider: origin.provider,
  format: origin.format,
  model: origin.model,
  subject,
  stream: false,
  features: [subject],
  request: { body: request },
  response: { status, body },
  usage: {},
})

/** The same question asked for a stream: `events` in order, each as the text between two blank lines. */
export const streamed = (origin: Origin, subject: Subject, request: Json, events: readonly string[]): Exchange => ({
  ...whole(origin, subject, { ...request, ...origin.streaming }, {}),
  id: idOf(origin, subject, true),
  stream: true,
  response: { status: 200, sse: events },
})

/** A failure before the first event: the body of a stream's error is the same JSON as that of a whole answer. */
export const refused = (origin: Origin, request: Json, status: number, body: Json): readonly Exchange[] => [
  whole(origin, 'error', request, body, status),
  {
    ...whole(origin, 'error', { ...request, ...origin.streaming }, body, status),
    id: idOf(origin, 'error', true),
    stream: true,
  },
]

/** The parameters of the one tool that the exchanges use. */
export const cityOnly: Json = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
}
