/** Bytes of a file that are encrypted together; the last of a file are fewer. */
export const pieceBytes = 256 * 1024

/** Joins chunks of any length to blocks of one length, the last one shorter. All of them are the same memory, which the next one overwrites. */
export async function* inBlocks(chunks: AsyncIterable<Uint8Array>, blockBytes: number): AsyncGenerator<Buffer> {
  const block = Buffer.allocUnsafe(blockBytes)
  let length = 0
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      const part = chunk.subarray(at, at + blockBytes - length)
      block.set(part, length)
      at += part.length
      length += part.length
      if (length < blockBytes) continue
      yield block
      length = 0
    }
  }
  if (length > 0) yield block.subarray(0, length)
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
  /** Reads `bytes` at once: their memory may change while it goes on. */
  write(file: StoredBytes, start: number, bytes: Buffer): Promise<void>
  /** Bytes from `from` up to `end`, the length of the file; ends early where some are missing. */
  read(file: StoredBytes, range: { readonly from: number; readonly end: number }): AsyncGenerator<Buffer>
}
