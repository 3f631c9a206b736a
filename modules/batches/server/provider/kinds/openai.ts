import { randomBytes } from 'node:crypto'
import { isObject, membersOf, numberIn, objectsOf, textOf } from '#server/dialects/conversation/json.ts'
import { lineNamed, nameOfLine, type ProviderKind } from './provider-kind.ts'

const paths: ReadonlySet<string> = new Set([
  '/v1/chat/completions',
  '/v1/responses',
  '/v1/completions',
  '/v1/embeddings',
  '/v1/moderations',
])

/** Codes of lines that were not begun. */
const skippedCodes: ReadonlySet<string> = new Set(['batch_cancelled', 'batch_expired'])

const uploadForm = (mark: string, lines: Buffer) => {
  const boundary = `batch-${randomBytes(16).toString('hex')}`
  const field = (head: string): string => `--${boundary}\r\ncontent-disposition: form-data; ${head}`
  const bytes = Buffer.concat([
    Buffer.from(`${field('name="purpose"')}\r\n\r\nbatch\r\n`),
    Buffer.from(`${field(`name="file"; filename="${mark}.jsonl"`)}\r\ncontent-type: application/jsonl\r\n\r\n`),
    lines,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
  return { type: `multipart/form-data; boundary=${boundary}`, bytes }
}

const addressesOf = (...files: readonly unknown[]): string[] =>
  files.map(textOf).flatMap((id) => (id === '' ? [] : [`/v1/files/${encodeURIComponent(id)}/content`]))

/** platform.openai.com/docs/api-reference/batch */
export const openaiKind: ProviderKind = {
  name: 'openai',
  channelTypes: [1],
  mostLines: 50_000,
  mostBytes: 32 * 1024 * 1024,
  takes: (path) => paths.has(path),
  line: (number, path, body) =>
    `{"custom_id":"${nameOfLine(number)}","method":"POST","url":${JSON.stringify(path)},"body":${body.toString()}}`,
  separator: '\n',
  upload: ({ mark, lines }) => ({ method: 'POST', path: '/v1/files', body: uploadForm(mark, lines) }),
  create: ({ mark, path, file }) => ({
    method: 'POST',
    path: '/v1/batches',
    body: {
      type: 'application/json',
      bytes: Buffer.from(
        JSON.stringify({
          input_file_id: file,
          endpoint: path,
          completion_window: '24h',
          metadata: { tollgate_batch: mark },
        }),
      ),
    },
  }),
  idIn: ({ id }) => textOf(id) || undefined,
  look: (id) => ({ method: 'GET', path: `/v1/batches/${encodeURIComponent(id)}` }),
  readLook({ status, errors, output_file_id: output, error_file_id: error }) {
    if (status === 'failed') {
      const [first] = objectsOf(membersOf(errors).data)
      return { state: 'refused', reason: textOf(first?.message) || 'the provider refused its input' }
    }
    return status === 'completed' || status === 'expired' || status === 'cancelled'
      ? { state: 'ended', results: addressesOf(output, error) }
      : { state: 'running' }
  },
  cancel: (id) => ({ method: 'POST', path: `/v1/batches/${encodeURIComponent(id)}/cancel` }),
  recent: () => ({ method: 'GET', path: '/v1/batches?limit=100' }),
  marked: ({ data }, mark) =>
    textOf(objectsOf(data).find(({ metadata }) => membersOf(metadata).tollgate_batch === mark)?.id) || undefined,
  readResult({ custom_id: name, response, error }) {
    const line = lineNamed(name)
    if (line === undefined) return undefined
    const { status_code: status, body } = membersOf(response)
    if (isObject(body)) {
      return { kind: 'answered', line, status: numberIn(status) ?? 200, body: Buffer.from(JSON.stringify(body)) }
    }
    const { code, message } = membersOf(error)
    if (skippedCodes.has(textOf(code))) return { kind: 'skipped', line }
    const stated = { message: textOf(message) || 'The provider could not make this request.', type: 'server_error' }
    return { kind: 'answered', line, status: 400, body: Buffer.from(JSON.stringify({ error: { ...stated, code } })) }
  },
}
