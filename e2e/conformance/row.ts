import type { Recording } from '../../server/test/support/relay/wire.ts'
import type { Entry } from '../support/books.ts'
import { ask, type ReceivedAnswer } from './clients.ts'
import type { DialectName } from './dialect-name.ts'
import { isJson, objectAt, type ParsedAnswer } from './parsed-answer.ts'
import { differsRaw } from './raw.ts'
import { answersOf, breaksOff } from './recorded.ts'
import { bodyFor, modelOf } from './request-body.ts'
import type { Served } from './served.ts'

export interface Row {
  readonly served: Served
  readonly recording: Recording
  readonly client: DialectName
  /** How the replay cuts the provider's bytes into chunks. */
  readonly chunking: string
}

/** A row that was played; its bill is checked when it has been written. */
export interface Played {
  readonly row: Row
  readonly requestId: string
  readonly complaints: readonly string[]
  readonly expected: ParsedAnswer
}

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value as object).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(members.map(([name, inner]) => [name, sorted(inner)]))
}

const shown = (value: unknown): string => JSON.stringify(sorted(value))?.slice(0, 300) ?? 'nothing'

const difference = (what: string, got: unknown, expected: unknown): string[] =>
  shown(got) === shown(expected) && JSON.stringify(sorted(got)) === JSON.stringify(sorted(expected))
    ? []
    : [`${what}: ${shown(got)} instead of ${shown(expected)}`]

/** Unwraps free text: providers whose tools accept only objects get it as the single member. */
const bare = (value: unknown): unknown => {
  if (!isJson(value)) return value
  const [name = '', ...more] = Object.keys(value)
  return more.length === 0 && (name === 'input' || name === 'arguments') ? value[name] : value
}

/** Ignores an id that either side lacks: the gateway adds missing ids, and Gemini needs none. */
const callsOf = (answer: ParsedAnswer, other: ParsedAnswer): unknown =>
  answer.calls.map((call, at) => ({
    name: call.name,
    id: call.id === '' || other.calls[at]?.id === '' ? '' : call.id,
    arguments: bare(call.arguments),
  }))

const isNative = ({ served, client }: Row): boolean => served.wire.native === client

/** A chat client receives the usage of a stream only when it requests it. */
const receivesUsage = (row: Row): boolean => {
  const { client, recording } = row
  if (client !== 'openai-chat' || !recording.stream || !isNative(row)) return true
  return objectAt(recording.request.body, 'stream_options').include_usage === true
}

const compare = (row: Row, { answer }: ReceivedAnswer, expected: ParsedAnswer): string[] => {
  if (answer === undefined) return []
  return [
    ...difference('text', answer.text, expected.text),
    ...difference('thinking', answer.thinking, expected.thinking),
    ...difference('calls', callsOf(answer, expected), callsOf(expected, answer)),
    ...difference('finish', answer.finish, expected.finish),
    ...(expected.usage === undefined || !receivesUsage(row) ? [] : difference('usage', answer.usage, expected.usage)),
  ]
}

const namesOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 300) : String(error)

/** A provider that refuses the channel's credentials reaches the client as 502. Google answers 400 for a wrong key, too. */
const statusFor = (row: Row): number => {
  const { status, body } = row.recording.response
  const isCredential = status === 401 || status === 403 || JSON.stringify(body).includes('API_KEY_INVALID')
  return isCredential ? 502 : status
}

const checkReceived = (row: Row, received: ReceivedAnswer, expected: ParsedAnswer): string[] => {
  const { status } = row.recording.response
  if (status >= 400) return difference('status', received.status, statusFor(row))
  if (breaksOff(row.recording, isNative(row)))
    return received.error === undefined ? ['the error in the stream was not thrown'] : []
  if (received.error !== undefined) return [`the client threw ${namesOf(received.error)}`]
  return compare(row, received, expected)
}

/** Sends the request with the official client, and again without it where the gateway converts nothing. */
export const play = async (row: Row, gateway: { readonly url: string; readonly key: string }): Promise<Played> => {
  const { served, recording, client } = row
  const body = bodyFor(recording, served, client)
  const question = { ...gateway, body, model: modelOf(recording, served), stream: recording.stream }
  const expected = served.wire.parse(answersOf(recording))
  const received = await ask(client, question)
  const complaints = checkReceived(row, received, expected)
  const raw = isNative(row) && !breaksOff(recording, true) ? await differsRaw(client, recording, question) : undefined
  return {
    row,
    requestId: received.requestId,
    expected,
    complaints: raw === undefined ? complaints : [...complaints, `raw: ${raw}`],
  }
}

/** Complaints about the log entry of a call. */
export const checkBill = ({ row, expected }: Played, entry: Entry | undefined): string[] => {
  if (entry === undefined) return ['nothing was logged']
  if (breaksOff(row.recording, isNative(row))) return []
  if (row.recording.response.status >= 400) return difference('bill', [entry.type, entry.quota], [5, 0])
  const { receipt } = entry.other
  if (entry.type !== 2 || receipt === undefined) return [`the call was logged as type ${entry.type}`]
  const { usage } = expected
  if (usage === undefined) return difference('estimated', receipt.estimated, true)
  const billed = { input: entry.prompt_tokens, cached: entry.other.cache_tokens ?? 0, output: entry.completion_tokens }
  return [...difference('estimated', receipt.estimated, false), ...difference('bill', billed, usage)]
}
