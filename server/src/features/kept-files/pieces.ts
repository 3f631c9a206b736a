/** Bytes of a file that are encrypted together; the last of a file are fewer. */
export const pieceBytes = 256 * 1024

/** Joins chunks of any length to blocks of one length, of which one is in memory; the last is shorter. */
export async function* inBlocks(chunks: AsyncIterable<Uint8Array>, blockBytes: number): AsyncGenerator<Buffer> {
  let waiting: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    let rest = chunk
    while (length + rest.length >= blockBytes) {
      const room = blockBytes - length
      yield Buffer.concat([...waiting, rest.subarray(0, room)])
      rest = rest.subarray(room)
      waiting = []
      length = 0
    }
    if (rest.length > 0) waiting.push(rest)
    length += rest.length
  }
  if (length > 0) yield Buffer.concat(waiting)
}

/** The bytes of a file at their place. */
export interface StoredBytes {
  /** Of the file. */
  readonly id: string
  /** Names what was written at once under this id; the same file written again has another. */
  readonly objectName: string
  /** Encrypts its pieces. */
  readonly key: Buffer
}

/** Stores the bytes of files at one place. */
export interface ByteStore {
  /** Bytes of one `write`, some whole pieces; those of the last are fewer. */
  readonly blockBytes: number
  write(file: StoredBytes, start: number, bytes: Buffer): Promise<void>
  /** Bytes from `from` up to `end`, the length of the file; ends early where some are missing. */
  read(file: StoredBytes, range: { readonly from: number; readonly end: number }): AsyncGenerator<Buffer>
}
