import { ownMember } from '@tollgate/contract/own-member'
import { completionTokens, promptTokens, type Usage } from '../../billing/usage.ts'
import { AppError } from '../../lib/app-error.ts'
import { defined, type JsonObject, textIn, without } from '../conversation/json.ts'
import type { UnsupportedFields } from '../conversation/unsupported-fields.ts'
import type { UpstreamError } from '../dialect.ts'
import type { Begun, FollowTools } from './following.ts'

/** A picture that a client sends to have it changed. */
export interface GivenPicture {
  readonly bytes: Buffer
  /** As the upload says, e.g. `image/png`. */
  readonly type: string
}

/** What a client of OpenAI's pictures asks for (platform.openai.com/docs/api-reference/images). */
export interface PicturesRequest {
  readonly model: string
  readonly prompt: string
  readonly count: number
  /** `1024x1024`; absent where the model may choose. */
  readonly size?: string
  /** Where the client said how it wants its pictures. */
  readonly format?: 'url' | 'b64_json'
  /** Empty for new pictures. */
  readonly images: readonly GivenPicture[]
  /** All other members by their names, without those that say what would be so anyway. */
  readonly own: JsonObject
}

/** One picture: its address or its bytes as base64. */
export interface DrawnPicture {
  readonly url?: string | undefined
  readonly base64?: string | undefined
  /** What was drawn, where the provider wrote the prompt anew. */
  readonly prompt?: string | undefined
}

export interface PicturesAnswer {
  readonly pictures: readonly DrawnPicture[]
  /** In tokens; undefined when the provider reports none. */
  readonly usage: Usage | undefined
  /** Part of the prompt's tokens that are pictures. */
  readonly pictureTokens?: number
}

/** Pictures in a provider's own words. */
export interface PicturesDialect {
  /** Throws AppError('invalid_image_request') for what the model cannot do. */
  write(request: PicturesRequest, unsupported: UnsupportedFields): JsonObject
  read(json: JsonObject, request: PicturesRequest): PicturesAnswer
  /** As `UpstreamDialect.errorOf`; also where no picture came of it. */
  errorOf?(json: JsonObject): UpstreamError | undefined
  /** An answer that is no JSON, as JSON would say it; undefined when it is. */
  bare?(bytes: Buffer, contentType: string): JsonObject | undefined
  /** Where pictures are not there yet: asks until they are. */
  follow?(json: JsonObject, begun: Begun, tools: FollowTools): Promise<JsonObject>
}

export const invalidPictures = (detail: string): AppError =>
  new AppError('invalid_image_request', { params: { detail } })

/** JsonObject that every dialect says in places of its own. */
const placed: ReadonlySet<string> = new Set(['model', 'prompt', 'n', 'size', 'response_format', 'image', 'image[]'])

/** What a request says although it says nothing: leaving it out changes nothing. */
const usual: Readonly<Record<string, readonly unknown[]>> = {
  quality: ['auto', 'standard'],
  background: ['auto'],
  moderation: ['auto'],
  stream: [false],
  partial_images: [0],
}

const isUsual = ([name, value]: readonly [string, unknown]): boolean =>
  value === null || value === undefined || ownMember(usual, name)?.includes(value) === true

const formatOf = (value: unknown): PicturesRequest['format'] =>
  value === 'url' || value === 'b64_json' ? value : undefined

const sizeOf = (value: unknown): string | undefined => {
  const size = textIn(value)
  return size === '' || size === 'auto' ? undefined : size
}

/** Throws AppError('invalid_image_request') for pictures in the making, which only OpenAI streams. */
export const readPictures = (body: JsonObject, model: string, images: readonly GivenPicture[]): PicturesRequest => {
  if (body.stream === true) throw invalidPictures(`${model} does not stream its pictures`)
  const own = Object.entries(without(body, placed)).filter((member) => !isUsual(member))
  return {
    model,
    prompt: textIn(body.prompt) ?? '',
    count: typeof body.n === 'number' && body.n > 0 ? body.n : 1,
    images,
    ...defined({ size: sizeOf(body.size), format: formatOf(body.response_format) }),
    own: Object.fromEntries(own),
  }
}

/** The client's other members under the names that they have here; those without a name are lost. */
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

/** For models that draw one picture per call. */
export const onlyOne = ({ count }: PicturesRequest, unsupported: UnsupportedFields): void => {
  if (count > 1) unsupported.add('n')
}

/** For models that only draw new pictures. */
export const onlyNew = ({ model, images }: PicturesRequest): void => {
  if (images.length > 0) throw invalidPictures(`${model} does not change pictures`)
}

/** For providers that only give bytes. */
export const onlyBytes = ({ format }: PicturesRequest, unsupported: UnsupportedFields): void => {
  if (format === 'url') unsupported.add('response_format')
}

/** `data:image/png;base64,…` */
export const pictureUrl = ({ type, bytes }: GivenPicture): string => `data:${type};base64,${bytes.toString('base64')}`

/** Of answers that hold no picture, whatever their reason. */
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

/** The answer in OpenAI's words. `created` in unix seconds. */
export const writePictures = (answer: PicturesAnswer, created: number): JsonObject => ({
  created,
  data: answer.pictures.map(({ url, base64, prompt }) => defined({ url, b64_json: base64, revised_prompt: prompt })),
  ...usageMember(answer),
})
