import { ownMember } from '@tollgate/contract/own-member'
import { isObject, type JsonObject, membersOf, textIn } from '#server/dialects/conversation/json.ts'
import { AppError } from '#server/lib/app-error.ts'
import { isStorable } from '#server/lib/bounded-text.ts'
import { formParts } from '#server/relay/forms/form-parts.ts'
import { frameOf } from '../providers/shapes.ts'
import type { VideoImage, VideoRequest } from '../providers/video-provider.ts'

/** A request of a client, with the model as it names it. */
export interface ReadVideo {
  readonly model: string
  readonly request: VideoRequest
}

const usualModel = 'sora-2'
/** UTF-16 units. */
const longestPrompt = 32_000
const longestWord = 40
const longestUrl = 20_000_000
const longestSeconds = 600

const invalid = (name: string, detail: string): AppError =>
  new AppError('video_parameter_invalid', { params: { name, detail } })

const textOf = (members: JsonObject, name: string, most: number): string | undefined => {
  const value = ownMember(members, name)
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value !== 'string' || !isStorable(value, most)) throw invalid(name, `a text of at most ${most} characters`)
  return value
}

/** A word such as `720p` or `16:9`, which becomes part of a request and of the name of a price. */
const wordOf = (members: JsonObject, ...names: readonly string[]): string | undefined => {
  for (const name of names) {
    const word = textOf(members, name, longestWord)
    if (word === undefined) continue
    if (!/^[\w:.*-]+$/.test(word)) throw invalid(name, 'a word')
    return word
  }
  return undefined
}

const numberOf = (
  members: JsonObject,
  names: readonly string[],
  bounds: { readonly least: number; readonly most: number },
): number | undefined => {
  for (const name of names) {
    const value = ownMember(members, name)
    if (value === undefined || value === null || value === '' || value === 0) continue
    const figure = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value
    const { least, most } = bounds
    if (typeof figure !== 'number' || !(figure >= least && figure <= most))
      throw invalid(name, `a number from ${least} to ${most}`)
    return figure
  }
  return undefined
}

const flagOf = (members: JsonObject, ...names: readonly string[]): boolean | undefined => {
  for (const name of names) {
    const value = ownMember(members, name)
    if (typeof value === 'boolean') return value
    if (value === 'true' || value === 'false') return value === 'true'
  }
  return undefined
}

/** The size of a video: as one text, or as the width and height of panels. */
const sizeOf = (members: JsonObject): string | undefined => {
  const size = wordOf(members, 'size')
  if (size !== undefined && /p$/i.test(size)) return undefined
  if (size !== undefined) {
    const frame = frameOf(size)
    if (frame === undefined) throw invalid('size', '<width>x<height>')
    return `${frame.width}x${frame.height}`
  }
  const bounds = { least: 16, most: 8192 }
  const [width, height] = [numberOf(members, ['width'], bounds), numberOf(members, ['height'], bounds)]
  return width === undefined || height === undefined ? undefined : `${Math.round(width)}x${Math.round(height)}`
}

const urlImage = (url: string, name: string): VideoImage => {
  if (url.length > longestUrl || !/^(https?:\/\/|data:image\/)/.test(url))
    throw invalid(name, 'an address, or a data URL of a picture')
  return { url }
}

/** The picture that the video begins with: OpenAI's `input_reference`, or the members of panels. */
const imageOf = (members: JsonObject): VideoImage | undefined => {
  const { input_reference: reference, image, images } = members
  if (isObject(reference)) {
    const file = textOf(reference, 'file_id', 255)
    if (file !== undefined) return { fileId: file }
    const url = textIn(reference.image_url)
    if (url === undefined) throw invalid('input_reference', 'image_url or file_id')
    return urlImage(url, 'input_reference')
  }
  const [first] = Array.isArray(images) ? images : []
  const url = [reference, image, first].find((one) => typeof one === 'string' && one !== '')
  return typeof url === 'string' ? urlImage(url, 'image') : undefined
}

const fromMembers = (body: JsonObject, file: VideoImage | undefined): ReadVideo => {
  // Panels put what has no member of its own into `metadata`.
  const { model: _, prompt: __, ...more } = membersOf(body.metadata)
  const members = { ...more, ...body }
  const prompt = textOf(members, 'prompt', longestPrompt)
  if (prompt === undefined) throw invalid('prompt', 'it is missing')
  numberOf(members, ['n'], { least: 1, most: 1 })
  const size = sizeOf(members)
  const sizeWord = wordOf(members, 'size')
  return {
    model: textOf(members, 'model', 255) ?? usualModel,
    request: {
      prompt,
      seconds: numberOf(members, ['seconds', 'duration'], { least: 1, most: longestSeconds }),
      size,
      resolution: wordOf(members, 'resolution') ?? (size === undefined ? sizeWord : undefined),
      ratio: wordOf(members, 'aspect_ratio', 'ratio'),
      image: file ?? imageOf(members),
      negativePrompt: textOf(members, 'negative_prompt', longestPrompt),
      seed: numberOf(members, ['seed'], { least: -1, most: 2 ** 32 }),
      sound: flagOf(members, 'generate_audio', 'with_audio', 'audio'),
      quality: wordOf(members, 'quality'),
    },
  }
}

const badBody = (detail: string): AppError => new AppError('invalid_request_body', { params: { detail } })

const fileNames: ReadonlySet<string> = new Set(['input_reference', 'image'])

/** A request as multipart/form-data; its file is the picture that the video begins with. */
const fromForm = (raw: Buffer, contentType: string): ReadVideo => {
  const parts = formParts(raw, contentType)
  if (parts === undefined) throw badBody('the body is no multipart/form-data')
  const members = new Map<string, unknown>()
  let file: VideoImage | undefined
  for (const { name, filename, type, start, end } of parts) {
    const field = name.replace(/\[(\w+)\]$/, '.$1')
    if (filename === undefined) {
      if (members.has(field)) throw badBody(`the field ${field.slice(0, longestWord)} stands twice`)
      members.set(field, raw.toString('utf8', start, end))
    } else if (fileNames.has(name)) {
      file = { bytes: Buffer.from(raw.subarray(start, end)), type: type || 'image/png', name: filename.slice(0, 255) }
    }
  }
  const {
    'input_reference.image_url': image_url,
    'input_reference.file_id': file_id,
    ...rest
  } = Object.fromEntries(members)
  const reference = image_url === undefined && file_id === undefined ? {} : { input_reference: { image_url, file_id } }
  return fromMembers({ ...rest, ...reference }, file)
}

/** JSON of a body. Throws AppError('invalid_request_body'). */
export const jsonBody = (raw: Buffer): JsonObject => {
  try {
    const body: unknown = JSON.parse(raw.toString())
    if (isObject(body)) return body
  } catch {
    throw badBody('the body is no JSON')
  }
  throw badBody('the body is no object')
}

/** Reads a request for a video: JSON or multipart, in OpenAI's shape or in that of panels. Throws AppError for values that cannot be. */
export const readVideoRequest = (raw: Buffer, contentType: string | undefined): ReadVideo =>
  contentType !== undefined && /^multipart\/form-data\b/i.test(contentType)
    ? fromForm(raw, contentType)
    : fromMembers(jsonBody(raw), undefined)

/** The prompt of a remix. Throws AppError. */
export const readRemixPrompt = (raw: Buffer): string => {
  const prompt = textOf(jsonBody(raw), 'prompt', longestPrompt)
  if (prompt === undefined) throw invalid('prompt', 'it is missing')
  return prompt
}
