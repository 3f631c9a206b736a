import { createBoundedCache } from '../../lib/caches/bounded-cache.ts'
import { nothingNamed } from './named-objects.ts'
import { type MadeObject, nameText, type ObjectName } from './ports.ts'
import { type NamedInUpload, namedInFile } from './uploaded-lines.ts'

/** A request with bytes of a file whose upload another request has begun: Google's uploads in parts. */
export interface UploadPart {
  readonly uploadId: string
  /** Some of `start`, `upload`, `finalize`, `query` and `cancel`. */
  readonly command: string
  /** Offset of its bytes in the file; empty where it is not stated. */
  readonly offset: string
}

/** The id of an upload in parts in its address or query; undefined where there is none. */
export const uploadIdIn = (query: string): string | undefined =>
  new URLSearchParams(query.slice(query.indexOf('?') + 1)).get('upload_id') || undefined

/** The part that a request brings; undefined for all others, and for the one that begins an upload. */
export const uploadPartOf = (
  { path, query }: { readonly path: string; readonly query: string },
  header: (name: string) => string | undefined,
): UploadPart | undefined => {
  const command = header('x-goog-upload-command')
  const uploadId = path.toLowerCase().startsWith('/upload/') ? uploadIdIn(query) : undefined
  if (command === undefined || uploadId === undefined || /\bstart\b/i.test(command)) return undefined
  return { uploadId, command, offset: header('x-goog-upload-offset') ?? '' }
}

/** Kind of uploads that have received bytes. */
const partKind = 'upload_parts'

/** Uploads in memory; older ones are in the database. */
const mostRemembered = 10_000

interface UploadPartsNeeds {
  /** Makers of the objects, by `nameText`. */
  find(names: readonly ObjectName[]): Promise<ReadonlyMap<string, readonly MadeObject[]>>
  note(names: readonly ObjectName[]): void
}

/** Reads the bytes of uploads in parts. */
export interface UploadParts {
  /**
   * Names in a part. `lines` is set only where the whole file came in this request and every line of it was read: parts may split an id,
   * and of overlapping parts providers keep the first.
   */
  read(part: UploadPart, bytes: Buffer, needs: UploadPartsNeeds): Promise<NamedInUpload>
}

export const createUploadParts = (): UploadParts => {
  const remembered = createBoundedCache<string, true>({ entries: mostRemembered })

  const isFirst = (uploadId: string): boolean => {
    if (remembered.get(uploadId) === true) return false
    remembered.set(uploadId, true)
    return true
  }

  return {
    async read({ uploadId, command, offset }, bytes, { find, note }) {
      const nothing = { names: nothingNamed, lines: undefined }
      const isFirstHere = isFirst(uploadId)
      const name = { kind: partKind, id: uploadId }
      const before = (await find([name])).get(nameText(name)) ?? []
      note([name])
      const isWhole = offset === '0' && /\bupload\b/i.test(command) && /\bfinalize\b/i.test(command)
      return isFirstHere && before.length === 0 && isWhole ? namedInFile(bytes) : nothing
    },
  }
}
