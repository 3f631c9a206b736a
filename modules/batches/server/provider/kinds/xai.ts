import { isObject, membersOf, numberIn, objectsOf, textOf } from '#server/dialects/conversation/json.ts'
import { jsonAsk, uploadAsk } from './input-file.ts'
import { lineNamed, nameOfLine, type ProviderKind } from './provider-kind.ts'
import { isSkippedCode, statusOfCode } from './rpc-status.ts'

const paths: ReadonlySet<string> = new Set(['/v1/chat/completions', '/v1/responses'])

const at = (id: string, more = ''): string => `/v1/batches/${encodeURIComponent(id)}${more}`

const perPage = 100

/**
 * docs.x.ai/developers/advanced-api-usage/batch-api: lines are uploaded as at OpenAI, a batch has counts instead of a status, and its results
 * come in pages, each in a member that is named after the kind of call.
 */
export const xaiKind: ProviderKind = {
  name: 'xai',
  channelTypes: [48],
  mostLines: 50_000,
  mostBytes: 32 * 1024 * 1024,
  takes: (path) => paths.has(path),
  line: ({ number, path, body }) =>
    `{"custom_id":"${nameOfLine(number)}","method":"POST","url":${JSON.stringify(path)},"body":${body.toString()}}`,
  separator: '\n',
  upload: (batch) => uploadAsk('/v1/files', batch),
  create: ({ mark, file }) => jsonAsk('/v1/batches', { name: mark, input_file_id: file }),
  idIn: ({ batch_id: batch, id }) => textOf(batch) || textOf(id) || undefined,
  look: (id) => ({ method: 'GET', path: at(id) }),
  readLook({ batch_id: id, state, cancel_time: cancelled, cancel_by_xai_message: refusal }) {
    const { num_requests: all, num_pending: pending, num_success: done } = membersOf(state)
    const isEmpty = (numberIn(all) ?? 0) === 0
    if (textOf(refusal) !== '' && (numberIn(done) ?? 0) === 0) return { state: 'refused', reason: textOf(refusal) }
    const isOver = isEmpty ? textOf(cancelled) !== '' : (numberIn(pending) ?? 0) === 0
    if (!isOver) return { state: 'running' }
    const first = at(textOf(id), `/results?limit=${perPage}`)
    return { state: 'ended', results: isEmpty ? [] : [first], inside: 'results' }
  },
  nextPage({ pagination_token: token }, path) {
    const next = textOf(token)
    const [first = ''] = path.split('&', 1)
    return next === '' ? undefined : `${first}&pagination_token=${encodeURIComponent(next)}`
  },
  cancel: (id) => ({ method: 'POST', path: at(id, ':cancel') }),
  recent: () => ({ method: 'GET', path: `/v1/batches?limit=${perPage}` }),
  marked: ({ batches }, mark) => textOf(objectsOf(batches).find(({ name }) => name === mark)?.batch_id) || undefined,
  readResult({ batch_request_id: name, batch_result: result }) {
    const line = lineNamed(name)
    if (line === undefined) return undefined
    const { response, error } = membersOf(result)
    const answer = Object.values(membersOf(response)).find(isObject)
    if (answer !== undefined) return { kind: 'answered', line, status: 200, body: Buffer.from(JSON.stringify(answer)) }
    const code = numberIn(membersOf(error).code) ?? 3
    if (isSkippedCode(code)) return { kind: 'skipped', line }
    const message = textOf(membersOf(error).message) || 'The provider could not make this request.'
    const body = { error: { message, type: 'server_error', code: String(code) } }
    return { kind: 'answered', line, status: statusOfCode(code), body: Buffer.from(JSON.stringify(body)) }
  },
}
