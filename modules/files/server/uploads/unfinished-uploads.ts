import { AppError } from '#server/lib/app-error.ts'
import { type Clock, unixSeconds } from '#server/lib/clock.ts'
import { makerOf, type Reader } from '#server/relay/reader.ts'
import type { KeptFile, KeptFiles } from '#server/relay/stored/kept-files.ts'

/** The properties of a file whose bytes come in several calls. */
export interface UploadPlan {
  readonly filename: string
  readonly contentType: string
  readonly purpose: string
  /** Bytes that the client has announced; undefined where it has not. */
  readonly bytes?: number | undefined
  /** Seconds after which the finished file ends; undefined for the site's days. */
  readonly seconds?: number | undefined
}

export interface UnfinishedUpload {
  /** The digits of its id, without a prefix. */
  readonly key: string
  readonly plan: UploadPlan
  readonly createdAt: number
  readonly expiresAt: number
}

/** The parts of a file on any node until they are joined: they are files with purposes that clients cannot state. */
export interface UnfinishedUploads {
  begin(plan: UploadPlan, caller: Reader): Promise<UnfinishedUpload>
  /** Throws AppError('upload_not_found') for those of others as for unknown ones. */
  find(key: string, caller: Reader): Promise<UnfinishedUpload>
  /** Throws AppError('upload_not_found') once it has ended. */
  addPart(upload: UnfinishedUpload, caller: Reader, bytes: AsyncIterable<Uint8Array>): Promise<KeptFile>
  /** Its parts in the order in which they came. */
  parts(upload: UnfinishedUpload, caller: Reader): Promise<readonly KeptFile[]>
  /** The bytes of parts, one after the other. */
  joined(parts: readonly KeptFile[]): AsyncGenerator<Uint8Array>
  /** Makes a file of these bytes, and removes the upload with its parts. */
  finish(
    upload: UnfinishedUpload,
    caller: Reader,
    bytes: AsyncIterable<Uint8Array>,
    check?: () => void,
  ): Promise<KeptFile>
  cancel(upload: UnfinishedUpload, caller: Reader): Promise<void>
}

/** Uploads that are not finished by then are deleted (platform.openai.com/docs/api-reference/uploads: an hour). */
const lifeSeconds = 3600
/** A file of 2 GiB in parts of 256 KiB. */
const mostParts = 8192

const planPurpose = '.upload'
const partPurpose = (key: string): string => `.part ${key}`
const idOf = (key: string): string => `file-${key}`
const keyOf = (id: string): string => id.slice('file-'.length)

const notFound = (key: string): AppError => new AppError('upload_not_found', { params: { id: key } })

export const openUnfinishedUploads = (files: KeptFiles, clock: Clock): UnfinishedUploads => {
  const uploadOf = (file: KeptFile, plan: UploadPlan): UnfinishedUpload => ({
    key: keyOf(file.id),
    plan,
    createdAt: file.createdAt,
    expiresAt: file.expiresAt,
  })

  const planOf = async (file: KeptFile): Promise<UploadPlan> => {
    const bytes: Buffer[] = []
    for await (const chunk of files.open(file)) bytes.push(chunk)
    return JSON.parse(Buffer.concat(bytes).toString()) as UploadPlan
  }

  const partsOf = async ({ key }: Pick<UnfinishedUpload, 'key'>, caller: Reader): Promise<readonly KeptFile[]> =>
    (await files.list(caller, { limit: mostParts, order: 'asc', purpose: partPurpose(key) })).files

  const find = async (key: string, caller: Reader): Promise<UnfinishedUpload> => {
    const file = await files.find(idOf(key), caller)
    if (file === undefined || file.purpose !== planPurpose) throw notFound(key)
    return uploadOf(file, await planOf(file))
  }

  const cancel = async (upload: UnfinishedUpload, caller: Reader): Promise<void> => {
    await files.remove(idOf(upload.key), caller)
    for (const part of await partsOf(upload, caller)) await files.remove(part.id, caller)
  }

  return {
    async begin(plan, caller) {
      const content = async function* () {
        yield Buffer.from(JSON.stringify(plan))
      }
      const file = await files.create(
        {
          maker: makerOf(caller),
          filename: '',
          contentType: 'application/json',
          purpose: planPurpose,
          expiresAt: unixSeconds(clock) + lifeSeconds,
        },
        content(),
      )
      return uploadOf(file, plan)
    },

    find,

    async addPart({ key, expiresAt }, caller, bytes) {
      if ((await partsOf({ key }, caller)).length >= mostParts)
        throw new AppError('invalid_file_upload', { params: { detail: `it has more than ${mostParts} parts` } })
      return files.create(
        { maker: makerOf(caller), filename: '', contentType: '', purpose: partPurpose(key), expiresAt },
        bytes,
      )
    },

    parts: partsOf,

    async *joined(parts) {
      for (const part of parts) yield* files.open(part)
    },

    async finish(upload, caller, bytes, check) {
      const { filename, contentType, purpose, seconds } = upload.plan
      const file = await files.create(
        {
          maker: makerOf(caller),
          filename,
          contentType,
          purpose,
          expiresAt: seconds === undefined ? undefined : unixSeconds(clock) + seconds,
          late: async () => {
            check?.()
            return {}
          },
        },
        bytes,
      )
      await cancel(upload, caller)
      return file
    },

    cancel,
  }
}
