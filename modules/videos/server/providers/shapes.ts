import { InexpressibleError } from '#server/dialects/conversation/gaps/inexpressible.ts'
import { defined, type JsonObject, textOf } from '#server/dialects/conversation/json.ts'
import type {
  ContentSource,
  FinishedVideo,
  ProviderAsk,
  ProviderHeaders,
  VideoAccount,
  VideoImage,
  VideoRequest,
} from './video-provider.ts'

/** Width and height in pixels. */
export interface Frame {
  readonly width: number
  readonly height: number
}

export const frameOf = (size: string | undefined): Frame | undefined => {
  const [, width, height] = /^(\d{2,5})[x*](\d{2,5})$/.exec(size ?? '') ?? []
  return width === undefined || height === undefined ? undefined : { width: Number(width), height: Number(height) }
}

/** The item at the smallest distance; undefined of none. */
export const nearest = <Item>(items: readonly Item[], distance: (item: Item) => number): Item | undefined =>
  items.reduce<Item | undefined>(
    (best, item) => (best === undefined || distance(item) < distance(best) ? item : best),
    undefined,
  )

/** Lines of a resolution: `720p` has 720, `4k` 2160. */
const linesOf = (resolution: string): number => {
  const named = new Map([
    ['2k', 1440],
    ['4k', 2160],
  ])
  return named.get(resolution.toLowerCase()) ?? Number.parseInt(resolution, 10)
}

/** The resolution among those of a provider: the requested one, or the nearest to the shorter side of the size. */
export const resolutionAmong = (
  { resolution, size }: VideoRequest,
  offered: readonly string[],
  usual: string,
): string => {
  if (resolution !== undefined)
    return offered.find((one) => one.toLowerCase() === resolution.toLowerCase()) ?? resolution
  const frame = frameOf(size)
  if (frame === undefined) return usual
  const side = Math.min(frame.width, frame.height)
  return nearest(offered, (one) => Math.abs(linesOf(one) - side)) ?? usual
}

const ratioNumber = (ratio: string): number => {
  const [width = 1, height = 1] = ratio.split(':').map(Number)
  return Math.log(width / height)
}

/** The aspect ratio among those of a provider; undefined where the request states none. */
export const ratioAmong = ({ ratio, size }: VideoRequest, offered: readonly string[]): string | undefined => {
  if (ratio !== undefined) return ratio
  const frame = frameOf(size)
  if (frame === undefined) return undefined
  const meant = Math.log(frame.width / frame.height)
  return nearest(offered, (one) => Math.abs(ratioNumber(one) - meant))
}

/** `1280x720` for a resolution and a ratio. */
export const sizeFor = (resolution: string, ratio: string | undefined): string => {
  const side = linesOf(resolution)
  if (ratio === undefined || !Number.isFinite(side)) return ''
  const [width = 1, height = 1] = ratio.split(':').map(Number)
  const even = (pixels: number): number => Math.round(pixels / 2) * 2
  return width >= height ? `${even((side * width) / height)}x${side}` : `${side}x${even((side * height) / width)}`
}

/** Prices are listed by sizes and by resolutions in lower case. */
export const variantsOf = (...names: readonly (string | undefined)[]): readonly string[] =>
  names.flatMap((name) => (name === undefined || name === '' ? [] : [name.toLowerCase()]))

/** Names of prices of a resolution: with and without sound they may differ, where the request says which. */
export const soundVariants = (resolution: string, sound: boolean | undefined): readonly string[] => {
  if (sound === undefined) return variantsOf(resolution)
  const word = sound ? 'sound' : 'silent'
  return variantsOf(`${resolution}-${word}`, resolution, word)
}

/** Refuses a field that a provider has no name for; another channel may take the request. */
export const unsupported = (name: string, model: string): InexpressibleError =>
  new InexpressibleError('video_unsupported', { params: { name, model } })

/** A picture as an address or as a data URL. */
export const imageUrl = (image: VideoImage, model: string): string => {
  if ('url' in image) return image.url
  if ('bytes' in image) return `data:${image.type};base64,${image.bytes.toString('base64')}`
  throw unsupported('input_reference.file_id', model)
}

/** A picture as Base64 with its type; addresses are not fetched. */
export const imageBytes = (image: VideoImage, model: string): { readonly type: string; readonly base64: string } => {
  if ('bytes' in image) return { type: image.type, base64: image.bytes.toString('base64') }
  const [, type, base64] = 'url' in image ? (/^data:([\w/+.-]+);base64,(.*)$/s.exec(image.url) ?? []) : []
  if (type === undefined || base64 === undefined) throw unsupported('input_reference.image_url', model)
  return { type, base64 }
}

/** A picture as an address, or as Base64 without the beginning of a data URL. */
export const imageUrlOrBase64 = (image: VideoImage, model: string): string =>
  'url' in image && !image.url.startsWith('data:') ? image.url : imageBytes(image, model).base64

export const jsonAsk = (path: string, body: object, headers?: ProviderAsk['headers']): ProviderAsk => ({
  method: 'POST',
  path,
  ...(headers === undefined ? {} : { headers }),
  body: { type: 'application/json', bytes: Buffer.from(JSON.stringify(defined(body))) },
})

export const getAsk = (path: string): ProviderAsk => ({ method: 'GET', path })

export const bearer = ({ key }: Pick<VideoAccount, 'key'>): ProviderHeaders => ({ authorization: `Bearer ${key}` })

/** Refuses a change of a finished video, of an API that has none. */
export const assertNoRemix = ({ remixOf }: VideoRequest, model: string): void => {
  if (remixOf !== undefined) throw unsupported('remix', model)
}

/** The content behind an address in the finished video. */
export const contentAtUrl = ({ place }: FinishedVideo, variant: string): ContentSource | undefined => {
  const url = variant === 'video' ? place.url : variant === 'thumbnail' ? place.cover : undefined
  return url === undefined ? undefined : { url }
}

/** A finite number of a member, also of one that states it as text. */
export const figureIn = (value: unknown): number | undefined => {
  const figure = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof figure === 'number' && Number.isFinite(figure) && figure > 0 ? figure : undefined
}

export const failedLook = (error: JsonObject, code = 'generation_failed') => ({
  state: 'failed' as const,
  code: (typeof error.code === 'number' ? String(error.code) : textOf(error.code)) || code,
  message: textOf(error.message),
})
