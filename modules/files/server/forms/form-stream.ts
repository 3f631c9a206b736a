import { AppError } from '#server/lib/app-error.ts'
import { boundaryOf, mostFormParts, mostHeadBytes, partHead } from '#server/relay/forms/form-parts.ts'

/** A part of an upload in several parts, whose bytes are read before the next. */
export interface StreamedPart {
  /** Empty for parts of multipart/related. */
  readonly name: string
  /** Set for files of forms only. */
  readonly filename: string | undefined
  /** Empty if the upload names none. */
  readonly type: string
  readonly bytes: AsyncIterable<Buffer>
}

const lineEnd = '\r\n'
const headEnd = Buffer.from(lineEnd + lineEnd)
/** Bytes before the first part, which senders leave empty. */
const mostPreamble = 64 * 1024

export const invalidUpload = (detail: string): AppError => new AppError('invalid_file_upload', { params: { detail } })

const brokenOff = (): AppError => invalidUpload('the body ends within a part')

/** The bytes that wait between two reads: one chunk of the socket and the length of a mark. */
class Bytes {
  private readonly source: AsyncIterator<Buffer>
  private waiting: Buffer = Buffer.from(lineEnd)

  constructor(source: AsyncIterable<Buffer>) {
    this.source = source[Symbol.asyncIterator]()
  }

  private async more(): Promise<boolean> {
    const { done, value } = await this.source.next()
    if (done === true) return false
    this.waiting = Buffer.concat([this.waiting, value])
    return true
  }

  private cut(length: number): Buffer {
    const bytes = this.waiting.subarray(0, length)
    this.waiting = this.waiting.subarray(length)
    return bytes
  }

  /** The next bytes, as many as that. Throws AppError where the body ends before. */
  async exactly(length: number): Promise<Buffer> {
    while (this.waiting.length < length) if (!(await this.more())) throw brokenOff()
    return this.cut(length)
  }

  /** Bytes up to a mark, which is taken away. Throws AppError where the body ends before. */
  async *until(mark: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const found = this.waiting.indexOf(mark)
      if (found >= 0) {
        if (found > 0) yield this.cut(found)
        this.cut(mark.length)
        return
      }
      // The mark may have begun at the end.
      const sure = this.waiting.length - mark.length + 1
      if (sure > 0) yield this.cut(sure)
      if (!(await this.more())) throw brokenOff()
    }
  }
}

/** All bytes as a text of at most so many. Throws AppError for more. */
export const textOfBytes = async (bytes: AsyncIterable<Buffer>, most: number, name: string): Promise<string> => {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of bytes) {
    length += chunk.length
    if (length > most) throw invalidUpload(`${name} is longer than ${most} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

const drained = async (bytes: AsyncIterable<Buffer>, most = Number.POSITIVE_INFINITY): Promise<void> => {
  let length = 0
  for await (const chunk of bytes) {
    length += chunk.length
    if (length > most) throw invalidUpload('no part begins')
  }
}

/**
 * The parts of multipart/form-data and multipart/related (RFC 7578, RFC 2387) as they come, without holding a part in memory.
 * Throws AppError('invalid_file_upload') where the body is neither.
 */
export async function* streamedParts(
  source: AsyncIterable<Buffer>,
  contentType: string,
): AsyncGenerator<StreamedPart, undefined> {
  const boundary = boundaryOf(contentType)
  if (boundary === undefined || !/^multipart\//i.test(contentType)) throw invalidUpload('multipart is expected')
  const mark = Buffer.from(`${lineEnd}--${boundary}`, 'latin1')
  const bytes = new Bytes(source)
  await drained(bytes.until(mark), mostPreamble)
  for (let count = 0; ; count += 1) {
    const next = await bytes.exactly(2)
    if (next.toString('latin1') === '--') return
    if (count === mostFormParts) throw invalidUpload(`it has more than ${mostFormParts} parts`)
    const head = await textOfBytes(bytes.until(headEnd), mostHeadBytes, 'the head of a part')
    const { name = '', filename, type } = partHead(head.trimStart())
    let isOver = false
    const content = async function* (): AsyncGenerator<Buffer> {
      yield* bytes.until(mark)
      isOver = true
    }
    const part = content()
    yield { name, filename, type, bytes: part }
    if (!isOver) await drained(part)
  }
}
