import { randomBytes } from 'node:crypto'
import { textOf } from '#server/dialects/conversation/json.ts'
import type { BatchAsk, NewProviderBatch } from './provider-kind.ts'

/** Uploads the lines of a batch as a file; `purpose` is absent where the provider knows none. */
export const uploadAsk = (
  path: string,
  { mark, lines }: Pick<NewProviderBatch, 'mark' | 'lines'>,
  purpose?: string,
): BatchAsk => {
  const boundary = `batch-${randomBytes(16).toString('hex')}`
  const field = (head: string): string => `--${boundary}\r\ncontent-disposition: form-data; ${head}`
  const bytes = Buffer.concat([
    Buffer.from(purpose === undefined ? '' : `${field('name="purpose"')}\r\n\r\n${purpose}\r\n`),
    Buffer.from(`${field(`name="file"; filename="${mark}.jsonl"`)}\r\ncontent-type: application/jsonl\r\n\r\n`),
    lines,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
  return { method: 'POST', path, body: { type: `multipart/form-data; boundary=${boundary}`, bytes } }
}

/** Addresses of the files of results that have an id. */
export const contentsOf = (prefix: string, ...files: readonly unknown[]): string[] =>
  files.map(textOf).flatMap((id) => (id === '' ? [] : [`${prefix}/files/${encodeURIComponent(id)}/content`]))

/** A request with a JSON body. */
export const jsonAsk = (path: string, body: object): BatchAsk => ({
  method: 'POST',
  path,
  body: { type: 'application/json', bytes: Buffer.from(JSON.stringify(body)) },
})
