/** Bytes. A line with pictures has some megabytes; longer ones are skipped. */
export const longestLine = 64 * 1024 * 1024

const lineFeed = 10

/** Cuts bytes that come in pieces into lines. Of a line that is too long its end alone is noticed. */
export class LineCutter {
  private parts: Buffer[] = []
  private size = 0
  private isCut = false
  private readonly take: (line: string | undefined) => void

  /** `take` gets each line that is not empty; undefined for one that is too long. */
  constructor(take: (line: string | undefined) => void) {
    this.take = take
  }

  push(chunk: Buffer): void {
    for (let from = 0; from < chunk.length; ) {
      const found = chunk.indexOf(lineFeed, from)
      const end = found < 0 ? chunk.length : found
      this.add(chunk.subarray(from, end))
      if (found < 0) return
      this.end()
      from = end + 1
    }
  }

  /** The last line may lack its end. */
  end(): void {
    const { isCut, parts } = this
    const text = isCut
      ? ''
      : Buffer.concat(parts)
          .toString()
          .replace(/^\ufeff/, '')
          .trim()
    this.parts = []
    this.size = 0
    this.isCut = false
    if (isCut) this.take(undefined)
    else if (text !== '') this.take(text)
  }

  private add(piece: Buffer): void {
    if (piece.length === 0 || this.isCut) return
    this.size += piece.length
    // A copy: the slice would keep its larger buffer in memory.
    if (this.size <= longestLine) this.parts.push(Buffer.from(piece))
    else {
      this.isCut = true
      this.parts = []
    }
  }
}
