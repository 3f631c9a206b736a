import { membersOf, numberIn, objectsOf, textOf } from '#server/dialects/conversation/json.ts'
import { readHttpLine } from './http-lines.ts'
import { contentsOf, jsonAsk, uploadAsk } from './input-file.ts'
import { nameOfLine, type ProviderKind } from './provider-kind.ts'

const paths: ReadonlySet<string> = new Set([
  '/v1/chat/completions',
  '/v1/embeddings',
  '/v1/fim/completions',
  '/v1/moderations',
  '/v1/ocr',
])

const ends: ReadonlySet<string> = new Set(['SUCCESS', 'FAILED', 'TIMEOUT_EXCEEDED', 'CANCELLED'])

const at = (id: string, more = ''): string => `/v1/batch/jobs/${encodeURIComponent(id)}${more}`

/** docs.mistral.ai/api/#tag/batch: a job has one model for all lines. */
export const mistralKind: ProviderKind = {
  name: 'mistral',
  channelTypes: [42],
  mostLines: 1_000_000,
  mostBytes: 32 * 1024 * 1024,
  oneModel: true,
  takes: (path) => paths.has(path),
  line: ({ number, body }) => `{"custom_id":"${nameOfLine(number)}","body":${body.toString()}}`,
  separator: '\n',
  upload: (batch) => uploadAsk('/v1/files', batch, 'batch'),
  create: ({ mark, path, file, model }) =>
    jsonAsk('/v1/batch/jobs', {
      input_files: [file],
      endpoint: path,
      model,
      timeout_hours: 24,
      metadata: { tollgate_batch: mark },
    }),
  idIn: ({ id }) => textOf(id) || undefined,
  look: (id) => ({ method: 'GET', path: at(id) }),
  readLook({ status, errors, output_file: output, error_file: error, completed_requests: done }) {
    if (!ends.has(textOf(status))) return { state: 'running' }
    const results = contentsOf('/v1', output, error)
    if (status === 'FAILED' && results.length === 0 && (numberIn(done) ?? 0) === 0) {
      const [first] = objectsOf(errors)
      return { state: 'refused', reason: textOf(first?.message) || 'the provider refused its input' }
    }
    return { state: 'ended', results }
  },
  cancel: (id) => ({ method: 'POST', path: at(id, '/cancel') }),
  recent: () => ({ method: 'GET', path: '/v1/batch/jobs?page_size=100&order_by=-created' }),
  marked: ({ data }, mark) =>
    textOf(objectsOf(data).find(({ metadata }) => membersOf(metadata).tollgate_batch === mark)?.id) || undefined,
  readResult: readHttpLine,
}
