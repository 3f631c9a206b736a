import { AppError } from '#server/lib/app-error.ts'

/** A place between lines of an input. */
export interface InputPlace {
  /** Number of the line that follows, from 1. */
  readonly line: number
  /** Bytes before it. */
  readonly offset: number
}

export interface InputLine extends InputPlace {
  /** Without spaces around it, and never empty; undefined for a line that is too long. */
  readonly text: string | undefined
  /** The place behind it. */
  readonly end: InputPlace
}

const lineFeed = 10

export const inputStart: InputPlace = { line: 1, offset: 0 }

/** Cuts an input into lines, from the place at which its bytes begin. Empty lines count and are left out. */
export async function* inputLines(
  bytes: AsyncIterable<Uint8Array>,
  from: InputPlace,
  mostBytes: number,
): AsyncGenerator<InputLine> {
  let { line, offset } = from
  let parts: Uint8Array[] = []
  let size = 0
  const add = (piece: Uint8Array): void => {
    size += piece.length
    if (size > mostBytes) parts = []
    // A copy: the slice would keep its larger buffer in memory.
    else if (piece.length > 0) parts.push(Buffer.from(piece))
  }
  const cut = (feed: number): InputLine | undefined => {
    const start = { line, offset }
    const text =
      size > mostBytes
        ? undefined
        : Buffer.concat(parts)
            .toString()
            .replace(/^\ufeff/, '')
            .trim()
    offset += size + feed
    line += 1
    parts = []
    size = 0
    return text === '' ? undefined : { ...start, text, end: { line, offset } }
  }
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; ) {
      const feed = chunk.indexOf(lineFeed, at)
      add(chunk.subarray(at, feed < 0 ? chunk.length : feed))
      if (feed < 0) break
      const found = cut(1)
      if (found !== undefined) yield found
      at = feed + 1
    }
  }
  const last = cut(0)
  if (last !== undefined) yield last
}

/** Reads an input that may be deleted meanwhile: its bytes then end, and `isGone` is true. Errors of the database are thrown, and those of a place that is away. */
export const openInput = (open: (from: number) => AsyncIterable<Uint8Array>) => {
  let gone = false
  return {
    async *bytes(from: number): AsyncGenerator<Uint8Array> {
      try {
        yield* open(from)
      } catch (error) {
        if (!(error instanceof AppError) || error.code === 'kept_files_unavailable') throw error
        gone = true
      }
    },
    isGone: (): boolean => gone,
  }
}
