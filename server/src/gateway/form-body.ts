import { AppError } from '../lib/app-error.ts'
import type { Form } from '../relay/call.ts'

const isForm = (contentType: string | undefined): contentType is string =>
  contentType !== undefined && /^multipart\/form-data\b/i.test(contentType)

/** What an upload is told as where bodies are checked. */
const told = (entry: string | File): unknown =>
  typeof entry === 'string' ? entry : { filename: entry.name, bytes: entry.size }

/** Forms know texts only; these fields mean something else. */
const meant: Readonly<Record<string, (text: string) => unknown>> = {
  n: (text) => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text),
  stream: (text) => text === 'true',
}

const fieldOf = (name: string, entries: readonly (string | File)[]): unknown => {
  const [first] = entries
  if (typeof first === 'string') return meant[name]?.(first) ?? first
  return entries.length === 1 && first !== undefined ? told(first) : entries.map(told)
}

interface FormBody {
  readonly raw: Buffer
  /** Its fields as JSON would say them. */
  readonly body: Record<string, unknown>
  readonly form: Form
}

/** Reads an upload; undefined when it is none. Throws AppError('invalid_request_body'). */
export const parseForm = async (raw: Buffer, contentType: string | undefined): Promise<FormBody | undefined> => {
  if (!isForm(contentType)) return undefined
  const headers = { 'content-type': contentType }
  // Its own copy of the bytes: what `fetch` takes must be no shared memory.
  const read = new Response(Uint8Array.from(raw), { headers }).formData()
  const fields = await read.catch(() => {
    throw new AppError('invalid_request_body', { params: { detail: 'the body is no multipart/form-data' } })
  })
  const body = Object.fromEntries([...new Set(fields.keys())].map((name) => [name, fieldOf(name, fields.getAll(name))]))
  const file = fields.get('file')
  return { raw, body, form: { contentType, file: file instanceof File ? file : undefined } }
}
