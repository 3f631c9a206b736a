import { ownMember } from '@tollgate/contract/own-member'
import { completionTokens, promptTokens, type Usage } from '../../billing/usage.ts'
import { AppError } from '../../lib/app-error.ts'
import { defined, type JsonObject, textIn, without } from '../conversation/json.ts'
import type { UnsupportedFields } from '../conversation/unsupported-fields.ts'
import type { UpstreamError } from '../dialect.ts'
import type { FirstRequest, FollowTools } from './following.ts'

/** A picture that a client sends to be edited. */
export interface InputPicture {
  readonly bytes: Buffer
  /** Media type of the upload, e.g. `image/png`. */
  readonly type: string
}

/** A request to OpenAI's images API (platform.openai.com/docs/api-reference/images). */
export interface PicturesRequest {
  readonly model: string
  readonly prompt: string
  readonly count: number
  /** E.g. `1024x1024`; absent if the model may choose. */
  readonly size?: string
  /** The `response_format` that the client requests; absent if it requests none. */
  readonly format?: 'url' | 'b64_json'
  /** Pictures to edit; empty for new pictures. */
  readonly images: readonly InputPicture[]
  /** All other fields, without those that have their default value. */
  readonly own: JsonObject
}

/** One picture: its URL, or its bytes as base64. */
export interface DrawnPicture {
  readonly url?: string | undefined
  readonly base64?: string | undefined
  /** The prompt as the provider rewrote it. */
  readonly prompt?: string | undefined
}

export interface PicturesAnswer {
  readonly pictures: readonly DrawnPicture[]
  /** Tokens; undefined when the provider reports none. */
  readonly usage: Usage | undefined
  /** Picture tokens among the prompt tokens. */
  readonly pictureTokens?: number
}

/** Picture generation in a provider's own format. */
export interface PicturesDialect {
  /** Throws AppError('invalid_image_request') if the model cannot serve the request. */
  write(request: PicturesRequest, unsupported: UnsupportedFields): JsonObject
  read(json: JsonObject, request: PicturesRequest): PicturesAnswer
  /** As `UpstreamDialect.errorOf`; also for answers without a picture. */
  errorOf?(json: JsonObject): UpstreamError | undefined
  /** Converts an answer that is not JSON, e.g. the bytes of a picture, to JSON; undefined if it is JSON. */
  bare?(bytes: Buffer, contentType: string): JsonObject | undefined
  /** Polls until the pictures are ready, for providers that answer with a task. */
  follow?(json: JsonObject, begun: FirstRequest, tools: FollowTools): Promise<JsonObject>
}

export const invalidPictures = (detail: string): AppError =>
  new AppError('invalid_image_request', { params: { detail } })

/** Fields that every dialect translates itself. */
const translatedFields: ReadonlySet<string> = new Set([
  'model',
  'prompt',
  'n',
  'size',
  'response_format',
  'image',
  'image[]',
])

/** Default values: fields with them may be left out. */
const defaults: Readonly<Record<string, readonly unknown[]>> = {
  quality: ['auto', 'standard'],
  background: ['auto'],
  moderation: ['auto'],
  stream: [false],
  partial_images: [0],
}

const isDefault = ([name, value]: readonly [string, unknown]): boolean =>
  value === null || value === undefined || ownMember(defaults, name)?.includes(value) === true

const formatOf = (value: unknown): PicturesRequest['format'] =>
  value === 'url' || value === 'b64_json' ? value : undefined

const sizeOf = (value: unknown): string | undefined => {
  const size = textIn(value)
  return size === '' || size === 'auto' ? undefined : size
}

/** Throws AppError('invalid_image_request') for `stream`: only OpenAI streams partial pictures. */
export const readPictures = (body: JsonObject, model: string, images: readonly InputPicture[]): PicturesRequest => {
  if (body.stream === true) throw invalidPictures(`${model} does not stream its pictures`)
  const own = Object.entries(without(body, translatedFields)).filter((member) => !isDefault(member))
  return {
    model,
    prompt: textIn(body.prompt) ?? '',
    count: typeof body.n === 'number' && body.n > 0 ? body.n : 1,
    images,
    ...defined({ size: sizeOf(body.size), format: formatOf(body.response_format) }),
    own: Object.fromEntries(own),
  }
}

/** Renames the client's other fields to the provider's names. Fields without a name there go to `unsupported`. */
export const pictureSettings = (
  { own }: PicturesRequest,
  names: Readonly<Record<string, string>>,
  unsupported: UnsupportedFields,
): JsonObject => {
  const entries: [string, unknown][] = []
  for (const [name, value] of Object.entries(own)) {
    const here = ownMember(names, name)
    if (here === undefined) unsupported.add(name)
    else entries.push([here, value])
  }
  return Object.fromEntries(entries)
}

/** Reports `n` as unsupported, for models that draw one picture per call. */
export const onlyOne = ({ count }: PicturesRequest, unsupported: UnsupportedFields): void => {
  if (count > 1) unsupported.add('n')
}

/** Throws AppError('invalid_image_request') for input pictures, for models that cannot edit. */
export const onlyNew = ({ model, images }: PicturesRequest): void => {
  if (images.length > 0) throw invalidPictures(`${model} does not change pictures`)
}

/** Reports `response_format: url` as unsupported, for providers that return only bytes. */
export const onlyBytes = ({ format }: PicturesRequest, unsupported: UnsupportedFields): void => {
  if (format === 'url') unsupported.add('response_format')
}

/** `data:image/png;base64,…` */
export const pictureUrl = ({ type, bytes }: InputPicture): string => `data:${type};base64,${bytes.toString('base64')}`

/** The error of an answer without a picture. */
export const noPictures = (reason: string | undefined): UpstreamError => ({
  message: reason || 'No images generated',
  type: 'invalid_request_error',
  code: 'no_images',
  status: 400,
})

const usageMember = ({ usage, pictureTokens = 0 }: PicturesAnswer): JsonObject => {
  if (usage === undefined) return {}
  const [input, output] = [promptTokens(usage), completionTokens(usage)]
  const details = { text_tokens: Math.max(0, input - pictureTokens), image_tokens: pictureTokens }
  return {
    usage: {
      input_tokens: input,
      output_tokens: output,
      total_tokens: input + output,
      input_tokens_details: details,
    },
  }
}

/** Writes the answer in OpenAI's shape. `created` is in unix seconds. */
export const writePictures = (answer: PicturesAnswer, created: number): JsonObject => ({
  created,
  data: answer.pictures.map(({ url, base64, prompt }) => defined({ url, b64_json: base64, revised_prompt: prompt })),
  ...usageMember(answer),
})
