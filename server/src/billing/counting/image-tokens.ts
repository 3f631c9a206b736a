import { type ImageSize, imageSize } from './image-size.ts'

interface ImagePart {
  /** A data URL contains the picture; other URLs are not fetched to count tokens. */
  readonly url: string
  /** `low`, `high`, `auto` or nothing. */
  readonly detail: string
}

const shorterSide = 768
const tileSide = 512

const tiles = ({ width, height }: ImageSize): number => {
  const shorter = Math.min(width, height)
  const longer = Math.max(width, height)
  const scale = Math.max(1, shorter / shorterSide)
  return Math.ceil(Math.min(shorter, shorterSide) / tileSide) * Math.ceil(Math.ceil(longer / scale) / tileSide)
}

const dataUrl = /^data:[^,]{0,100};base64,/

const pixelsOf = (url: string): ImageSize | undefined => {
  const head = dataUrl.exec(url.slice(0, 200))
  return head === null ? undefined : imageSize(url.slice(head[0].length, 100_000))
}

/**
 * Tokens of one image in a prompt. Images of unknown size get a flat figure, and so do all images for Claude
 * and Gemini, which count differently.
 */
export const imageTokens = (model: string, { url, detail }: ImagePart): number => {
  if (model === 'glm-4v') return 1047
  if (detail === 'low') return 85
  const [tile, base] = model.startsWith('gpt-4o-mini') ? [5667, 2833] : [170, 85]
  const size = /claude|gemini/.test(model) ? undefined : pixelsOf(url)
  return size === undefined ? 3 * base : tiles(size) * tile + base
}
