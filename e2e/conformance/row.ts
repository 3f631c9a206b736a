import type { Recording } from '../../server/test/support/relay/wire.ts'
import type { Entry } from '../support/books.ts'
import { bodyFor, modelOf } from './asked.ts'
import { ask, type Heard } from './clients.ts'
import type { DialectName } from './dialect-name.ts'
import { differsRaw } from './raw.ts'
import { answersOf, breaksOff } from './recorded.ts'
import type { Served } from './served.ts'
import { isJson, its, type Told } from './told.ts'

export interface Row {
  readonly served: Served
  readonly recording: Recording
  readonly client: DialectName
  /** How the provider's bytes are cut. */
  readonly chunking: string
}

/** A row that was played; its bill is checked when it has been written. */
export interface Played {
  readonly row: Row
  readonly requestId: string
  readonly complaints: readonly string[]
  readonly expected: Told
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

/** Where tools take objects only, free text is the one member. */
const bare = (value: unknown): unknown => {
  if (!isJson(value)) return value
  const [name = '', ...more] = Object.keys(value)
  return more.length === 0 && (name === 'input' || name === 'arguments') ? value[name] : value
}

/** Calls without ids get some; Gemini needs none. */
const callsOf = (told: Told, other: Told): unknown =>
  told.calls.map((call, at) => ({
    name: call.name,
    id: call.id === '' || other.calls[at]?.id === '' ? '' : call.id,
    arguments: bare(call.arguments),
  }))

const isNative = ({ served, client }: Row): boolean => served.wire.native === client

/** A chat client hears of the usage of a stream only when it asks. */
const hearsUsage = (row: Row): boolean => {
  const { client, recording } = row
  if (client !== 'openai-chat' || !recording.stream || !isNative(row)) return true
  return its(recording.request.body, 'stream_options').include_usage === true
}

const compare = (row: Row, { told }: Heard, expected: Told): string[] => {
  if (told === undefined) return []
  return [
    ...difference('text', told.text, expected.text),
    ...difference('thinking', told.thinking, expected.thinking),
    ...difference('calls', callsOf(told, expected), callsOf(expected, told)),
    ...difference('finish', told.finish, expected.finish),
    ...(expected.usage === undefined || !hearsUsage(row) ? [] : difference('usage', told.usage, expected.usage)),
  ]
}

const namesOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 300) : String(error)

/** Google says 400 of a wrong key too; clients of other dialects hear what their own provider would say. */
/** A refusal of the channel's credentials is none of the client's. */
const statusFor = (row: Row): number => {
  const { status, body } = row.recording.response
  const isCredential = status === 401 || status === 403 || JSON.stringify(body).includes('API_KEY_INVALID')
  return isCredential ? 502 : status
}

const checkHeard = (row: Row, heard: Heard, expected: Told): string[] => {
  const { status } = row.recording.response
  if (status >= 400) return difference('status', heard.status, statusFor(row))
  if (breaksOff(row.recording, isNative(row)))
    return heard.error === undefined ? ['the error in the stream was not thrown'] : []
  if (heard.error !== undefined) return [`the client threw ${namesOf(heard.error)}`]
  return compare(row, heard, expected)
}

/** Asks with the official client, and once more without it where nothing is converted. */
export const play = async (row: Row, gateway: { readonly url: string; readonly key: string }): Promise<Played> => {
  const { served, recording, client } = row
  const body = bodyFor(recording, served, client)
  const question = { ...gateway, body, model: modelOf(recording, served), stream: recording.stream }
  const expected = served.wire.told(answersOf(recording))
  const heard = await ask(client, question)
  const complaints = checkHeard(row, heard, expected)
  const raw = isNative(row) && !breaksOff(recording, true) ? await differsRaw(client, recording, question) : undefined
  return {
    row,
    requestId: heard.requestId,
    expected,
    complaints: raw === undefined ? complaints : [...complaints, `raw: ${raw}`],
  }
}

/** What is wrong with the row of the log that a call has left. */
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
