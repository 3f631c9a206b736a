const [quote, backslash, letterU] = [0x22, 0x5c, 0x75]

/** Bytes of a text that are left of it. */
const longestString = 4_096

const behind = (offset: number, chunk: Buffer): number => (offset === -1 ? chunk.length : offset)

/**
 * Cuts long texts of JSON that comes in chunks, so that an answer with a video in it can be read for its state. Texts stay texts, cut at
 * `longest` bytes or a little behind; everything else stays as it is.
 */
export const openStringCutter = (longest = longestString): ((chunk: Buffer) => Buffer) => {
  /** Bytes of the text that the last chunk ended in. */
  let length: number | undefined
  /** Bytes of an escape that are still to come. */
  let escaped = 0
  /** True where the next chunk begins with the end of an escape that is left out. */
  let isSkipping = false

  /** Offset of the end of a long text, whose bytes are left out. */
  const skip = (chunk: Buffer, from: number): number => {
    let at = from
    let end = behind(chunk.indexOf(quote, at), chunk)
    for (;;) {
      const found = chunk.subarray(0, end).indexOf(backslash, at)
      if (found === -1) return end
      at = found + 2
      isSkipping = at > chunk.length
      if (at > end) end = behind(chunk.indexOf(quote, at), chunk)
    }
  }

  return (chunk) => {
    const parts: Buffer[] = []
    let start = isSkipping ? 1 : 0
    let at = start
    isSkipping = false
    while (at < chunk.length) {
      const byte = chunk[at]
      if (length === undefined) {
        const next = chunk.indexOf(quote, at)
        if (next === -1) break
        length = 0
        at = next + 1
      } else if (escaped > 0) {
        escaped = escaped === 1 && byte === letterU ? 4 : escaped - 1
        length += 1
        at += 1
      } else if (byte === quote) {
        length = undefined
        at += 1
      } else if (length < longest) {
        if (byte === backslash) escaped = 1
        length += 1
        at += 1
      } else {
        parts.push(chunk.subarray(start, at))
        at = skip(chunk, at)
        start = at
      }
    }
    parts.push(chunk.subarray(start))
    return Buffer.concat(parts)
  }
}
