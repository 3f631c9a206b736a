import { ownMember } from '@tollgate/contract/own-member'
import { AppError } from '../../lib/app-error.ts'
import type { Form } from '../../relay/call.ts'
import { type FormPart, formParts, mostFormParts } from '../../relay/forms/form-parts.ts'

const isForm = (contentType: string | undefined): contentType is string =>
  contentType !== undefined && /^multipart\/form-data\b/i.test(contentType)

/** Conversions of form fields that are not texts. */
const meant: Readonly<Record<string, (text: string) => unknown>> = {
  n: (text) => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text),
  stream: (text) => text === 'true',
}

/** A field of a form as the JSON value that it stands for; of a file its name and length. */
const saidIn = (raw: Buffer, { name, filename, start, end }: FormPart): unknown => {
  if (filename !== undefined) return { filename, bytes: end - start }
  const text = raw.toString('utf8', start, end)
  return ownMember(meant, name)?.(text) ?? text
}

/** Fields that decide checks and prices. A form in which one is repeated is refused, since the provider might read the other value. */
const decisive: ReadonlySet<string> = new Set(['model', 'n', 'stream', 'size', 'quality'])

const standsTwice = (parts: readonly FormPart[]): string | undefined => {
  const seen = new Set<string>()
  return parts.find(({ name }) => decisive.has(name) && (seen.has(name) || !seen.add(name)))?.name
}

interface FormBody {
  readonly raw: Buffer
  /** The fields as JSON members; of repeated names the first. */
  readonly body: Record<string, unknown>
  readonly form: Form
}

/** Reads an upload; undefined when it is none. Throws AppError('invalid_request_body'). */
export const parseForm = (raw: Buffer, contentType: string | undefined): FormBody | undefined => {
  if (!isForm(contentType)) return undefined
  const parts = formParts(raw, contentType)
  if (parts === undefined) {
    const detail = `the body is no multipart/form-data, or has more than ${mostFormParts} parts`
    throw new AppError('invalid_request_body', { params: { detail } })
  }
  const twice = standsTwice(parts)
  if (twice !== undefined)
    throw new AppError('invalid_request_body', { params: { detail: `the field ${twice} stands twice` } })
  const body = Object.fromEntries(parts.toReversed().map((part) => [part.name, saidIn(raw, part)]))
  const file = parts.find(({ name, filename }) => name === 'file' && filename !== undefined)
  const sound = file && {
    bytes: raw.subarray(file.start, file.end),
    type: file.type,
    name: file.filename ?? '',
  }
  const files = parts.flatMap(({ filename, start, end }) => (filename === undefined ? [] : [raw.subarray(start, end)]))
  return { raw, body, form: { contentType, file: sound, files } }
}
