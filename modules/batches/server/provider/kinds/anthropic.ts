import { isObject, membersOf, textOf } from '#server/dialects/conversation/json.ts'
import { lineNamed, nameOfLine, type ProviderKind } from './provider-kind.ts'

/** Statuses of the errors that a line names (platform.claude.com/docs/en/api/errors). */
const statuses: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
}

const at = (id: string, more = ''): string => `/v1/messages/batches/${encodeURIComponent(id)}${more}`

/** platform.claude.com/docs/en/api/creating-message-batches */
export const anthropicKind: ProviderKind = {
  name: 'anthropic',
  channelTypes: [14],
  mostLines: 100_000,
  mostBytes: 32 * 1024 * 1024,
  takes: (path) => path === '/v1/messages',
  line: (number, _, body) => `{"custom_id":"${nameOfLine(number)}","params":${body.toString()}}`,
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
  readLook: ({ processing_status: status, id }) =>
    status === 'ended' ? { state: 'ended', results: [at(textOf(id), '/results')] } : { state: 'running' },
  cancel: (id) => ({ method: 'POST', path: at(id, '/cancel') }),
  readResult({ custom_id: name, result }) {
    const line = lineNamed(name)
    const { type, message, error } = membersOf(result)
    if (line === undefined) return undefined
    if (type === 'canceled' || type === 'expired') return { kind: 'skipped', line }
    if (type === 'succeeded' && isObject(message))
      return { kind: 'answered', line, status: 200, body: Buffer.from(JSON.stringify(message)) }
    const status = statuses[textOf(membersOf(membersOf(error).error).type)] ?? 400
    return { kind: 'answered', line, status, body: Buffer.from(JSON.stringify(error ?? {})) }
  },
}
