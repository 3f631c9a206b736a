import {
  isObject,
  type JsonObject,
  membersOf,
  numberIn,
  objectsOf,
  textOf,
} from '#server/dialects/conversation/json.ts'
import {
  lineNamed,
  markNamed,
  nameOfLine,
  type ProviderKind,
  type ProviderLook,
  type UnnamedBatches,
} from './provider-kind.ts'

/** Statuses of the errors that a line names (platform.claude.com/docs/en/api/errors). */
const statuses: ReadonlyMap<string, number> = new Map([
  ['invalid_request_error', 400],
  ['authentication_error', 401],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['request_too_large', 413],
  ['rate_limit_error', 429],
  ['api_error', 500],
  ['timeout_error', 504],
  ['overloaded_error', 529],
])

const at = (id: string, more = ''): string => `/v1/messages/batches/${encodeURIComponent(id)}${more}`

const readLook = ({ processing_status: status, id }: JsonObject): ProviderLook =>
  status === 'ended' ? { state: 'ended', results: [at(textOf(id), '/results')] } : { state: 'running' }

/** platform.claude.com/docs/en/api/listing-message-batches: `limit` goes up to 1000, and the counts are those of all requests at any time. */
const unnamed: UnnamedBatches = {
  list: (after) => ({
    method: 'GET',
    path: `/v1/messages/batches?limit=1000${after === undefined ? '' : `&after_id=${encodeURIComponent(after)}`}`,
  }),
  readList: ({ data, has_more: hasMore, last_id: last }) => ({
    batches: objectsOf(data).map((batch) => ({
      id: textOf(batch.id),
      createdAt: Date.parse(textOf(batch.created_at)) / 1000,
      lines: Object.values(membersOf(batch.request_counts)).reduce<number>((sum, n) => sum + (numberIn(n) ?? 0), 0),
      look: readLook(batch),
    })),
    next: hasMore === true ? textOf(last) || undefined : undefined,
  }),
  markOf: ({ custom_id: name }) => markNamed(name),
}

/** platform.claude.com/docs/en/api/creating-message-batches: a `custom_id` has up to 64 letters, digits, `-` and `_`. */
export const anthropicKind: ProviderKind = {
  name: 'anthropic',
  channelTypes: [14],
  mostLines: 100_000,
  mostBytes: 32 * 1024 * 1024,
  takes: (path) => path === '/v1/messages',
  line: ({ number, body, mark }) => `{"custom_id":"${nameOfLine(number, mark)}","params":${body.toString()}}`,
  separator: ',',
  create: ({ lines }) => ({
    method: 'POST',
    path: '/v1/messages/batches',
    body: {
      type: 'application/json',
      bytes: Buffer.concat([Buffer.from('{"requests":['), lines, Buffer.from(']}')]),
    },
  }),
  idIn: ({ id }) => textOf(id) || undefined,
  look: (id) => ({ method: 'GET', path: at(id) }),
  readLook,
  cancel: (id) => ({ method: 'POST', path: at(id, '/cancel') }),
  unnamed,
  readResult({ custom_id: name, result }) {
    const line = lineNamed(name)
    const { type, message, error } = membersOf(result)
    if (line === undefined) return undefined
    if (type === 'canceled' || type === 'expired') return { kind: 'skipped', line }
    if (type === 'succeeded' && isObject(message))
      return { kind: 'answered', line, status: 200, body: Buffer.from(JSON.stringify(message)) }
    const status = statuses.get(textOf(membersOf(membersOf(error).error).type)) ?? 400
    return { kind: 'answered', line, status, body: Buffer.from(JSON.stringify(error ?? {})) }
  },
}
