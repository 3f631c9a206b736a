import type { ModuleCall } from '#server/gateway/module-calls.ts'
import { makerOf } from '#server/relay/reader.ts'
import type { KeptFile, KeptFiles } from '#server/relay/stored/kept-files.ts'
import { contentTypeOf } from '../content-types.ts'
import { invalidUpload, type StreamedPart, streamedParts, textOfBytes } from '../forms/form-stream.ts'
import { withUpload } from '../forms/uploaded-bytes.ts'

/** Purposes that clients may state (platform.openai.com/docs/api-reference/files/create). */
const purposes: ReadonlySet<string> = new Set(['assistants', 'batch', 'fine-tune', 'vision', 'user_data', 'evals'])

/** Seconds after its creation when a file may end. */
const [leastSeconds, mostSeconds] = [3600, 2_592_000]
const mostField = 1024

export const checkedPurpose = (purpose: unknown): string => {
  if (typeof purpose !== 'string' || !purposes.has(purpose))
    throw invalidUpload(`purpose must be one of ${[...purposes].join(', ')}`)
  return purpose
}

/** End of a file that is created at `createdAt`, in unix seconds; undefined where the client states none. Throws AppError('invalid_file_upload'). */
export const endAfter = (anchor: unknown, seconds: unknown, createdAt: number): number | undefined => {
  if (anchor === undefined && seconds === undefined) return undefined
  const length = Number(seconds)
  if (anchor !== 'created_at' || !Number.isInteger(length) || length < leastSeconds || length > mostSeconds)
    throw invalidUpload(
      `expires_after needs the anchor created_at and between ${leastSeconds} and ${mostSeconds} seconds`,
    )
  return createdAt + length
}

/** Reads fields of a form until the file, or the end. */
const fieldsUntilFile = async (
  parts: AsyncIterator<StreamedPart, undefined>,
  fields: Map<string, string>,
  fileField: string,
): Promise<StreamedPart | undefined> => {
  for (;;) {
    const { done, value: part } = await parts.next()
    if (done === true) return undefined
    if (part.name === fileField && part.filename !== undefined) return part
    fields.set(part.name, await textOfBytes(part.bytes, mostField, 'a field'))
  }
}

/** Fields of a form about its file, by their names. */
export type FileFields = ReadonlyMap<string, string>

/**
 * Stores the file of a form as it comes. `settings` reads the fields once all are there, those behind the file included.
 * Throws AppError: `invalid_file_upload`, and as `KeptFiles.create` and `settings` do.
 */
export const storeForm = (
  { context: { request }, caller }: Pick<ModuleCall, 'context' | 'caller'>,
  files: Pick<KeptFiles, 'create'>,
  {
    fileField,
    settings,
  }: {
    readonly fileField: string
    readonly settings: (
      fields: FileFields,
      createdAt: number,
    ) => { readonly purpose: string; readonly expiresAt?: number | undefined }
  },
): Promise<KeptFile> =>
  withUpload(request, async (bytes) => {
    const parts = streamedParts(bytes, request.headers['content-type'] ?? '')
    const fields = new Map<string, string>()
    const file = await fieldsUntilFile(parts, fields, fileField)
    if (file === undefined) throw invalidUpload(`the field ${fileField} with a file is missing`)
    const filename = file.filename || 'file'
    const purpose = ''
    const about = { maker: makerOf(caller), filename, purpose, contentType: contentTypeOf(file.type, filename) }
    const late = async (createdAt: number): Promise<ReturnType<typeof settings>> => {
      if ((await fieldsUntilFile(parts, fields, fileField)) !== undefined) throw invalidUpload('it has two files')
      return settings(fields, createdAt)
    }
    return files.create({ ...about, late }, file.bytes)
  })

/** A file as OpenAI shows it (platform.openai.com/docs/api-reference/files/object). */
export const openaiFile = ({ id, bytes, createdAt, expiresAt, filename, purpose }: KeptFile) => ({
  id,
  object: 'file',
  bytes,
  created_at: createdAt,
  ...(expiresAt === 0 ? {} : { expires_at: expiresAt }),
  filename,
  purpose,
  status: 'processed',
  status_details: null,
})
