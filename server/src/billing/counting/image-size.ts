export interface ImageSize {
  readonly width: number
  readonly height: number
}

/** Bytes that are searched for the size; only a JPEG with a very large preview has it further back. */
const headBytes = 64 * 1024
const largestSide = 65_535

const png = (head: Buffer): ImageSize | undefined =>
  head.length >= 24 && head.readUInt32BE(0) === 0x89504e47
    ? { width: head.readUInt32BE(16), height: head.readUInt32BE(20) }
    : undefined

const gif = (head: Buffer): ImageSize | undefined =>
  head.length >= 10 && head.toString('latin1', 0, 4) === 'GIF8'
    ? { width: head.readUInt16LE(6), height: head.readUInt16LE(8) }
    : undefined

const webp = (head: Buffer): ImageSize | undefined => {
  if (head.length < 30 || head.toString('latin1', 8, 12) !== 'WEBP') return undefined
  switch (head.toString('latin1', 12, 16)) {
    case 'VP8X':
      return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 }
    case 'VP8L': {
      const bits = head.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8 ':
      return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff }
    default:
      return undefined
  }
}

/** Markers C0–CF start a frame, except the tables C4, C8 and CC. */
const startsFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

const jpeg = (head: Buffer): ImageSize | undefined => {
  if (head.length < 4 || head.readUInt16BE(0) !== 0xffd8) return undefined
  let at = 2
  while (at + 9 <= head.length && head[at] === 0xff) {
    const marker = head[at + 1] ?? 0
    if (startsFrame(marker)) return { width: head.readUInt16BE(at + 7), height: head.readUInt16BE(at + 5) }
    // A second FF is padding before the marker.
    at += marker === 0xff ? 1 : 2 + head.readUInt16BE(at + 2)
  }
  return undefined
}

/** Pixels of a PNG, JPEG, GIF or WebP given as base64; undefined when the header is unreadable or the size implausible. */
export const imageSize = (base64: string): ImageSize | undefined =>
  sizeOfFile(Buffer.from(base64.slice(0, Math.ceil(headBytes / 3) * 4), 'base64'))

/** The same of a file, of which only the beginning is read. */
export const sizeOfFile = (file: Buffer): ImageSize | undefined => {
  const head = file.subarray(0, headBytes)
  const size = png(head) ?? gif(head) ?? webp(head) ?? jpeg(head)
  if (size === undefined || size.width < 1 || size.height < 1) return undefined
  return Math.max(size.width, size.height) > largestSide ? undefined : size
}
