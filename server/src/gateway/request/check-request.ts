import { ownMember } from '@tollgate/contract/own-member'
import { invalidRequest, isMissing } from '../../dialects/conversation/request-fields.ts'
import { AppError } from '../../lib/app-error.ts'
import type { RelayCall, RelayEndpoint } from '../../relay/call.ts'
import { isVariation } from '../../relay/usage/pictures.ts'
import { checkModelName } from '../auth/model-checks.ts'

type Body = Readonly<Record<string, unknown>>

/** A larger bound is an error. */
export const largestMaxTokens = 1_073_741_823

const checkMaxTokens = (value: unknown): void => {
  if (typeof value === 'number' && value > largestMaxTokens) throw invalidRequest('max_tokens is invalid')
}

const invalidImage = (detail: string): AppError => new AppError('invalid_image_request', { params: { detail } })
const invalidAudio = (detail: string): AppError => new AppError('invalid_audio_request', { params: { detail } })

const mostPictures = 10
const squares: ReadonlySet<unknown> = new Set(['256x256', '512x512', '1024x1024'])
const sizesOf: Readonly<Record<string, ReadonlySet<unknown>>> = {
  'dall-e': squares,
  'dall-e-2': squares,
  'dall-e-3': new Set(['1024x1024', '1024x1792', '1792x1024']),
}

/** A variation is made of a picture alone (platform.openai.com/docs/api-reference/images/createVariation). */
const checkSubject = ({ prompt, image }: Body, path: string): void => {
  if (isVariation({ path })) {
    if (isMissing(image)) throw invalidImage('image is required')
  } else if (typeof prompt !== 'string' || prompt === '') throw invalidImage('prompt is required')
}

/** The number is what is paid for. */
const checkPictures = (body: Body, model: string, path: string): void => {
  checkSubject(body, path)
  const { n, size } = body
  if (!isMissing(n) && !(Number.isInteger(n) && Number(n) >= 0 && Number(n) <= mostPictures)) {
    throw invalidImage(`n must be a whole number from 1 to ${mostPictures}`)
  }
  if (typeof size === 'string' && size.includes('×')) {
    throw invalidImage(
      "size an unexpected error occurred in the parameter, please use 'x' instead of the multiplication sign '×'",
    )
  }
  const sizes = ownMember(sizesOf, model)
  if (sizes !== undefined && !isMissing(size) && size !== '' && !sizes.has(size)) {
    throw invalidImage('size must be one of 256x256, 512x512, or 1024x1024, dall-e-3 1024x1792 or 1792x1024')
  }
}

/** Conversations are checked by their dialect. */
const checks: Readonly<
  Record<Exclude<RelayEndpoint, 'conversation'>, (body: Body, model: string, path: string) => void>
> = {
  completions(body) {
    if (isMissing(body.prompt)) throw invalidRequest('field prompt is required')
  },
  moderations(body) {
    if (isMissing(body.input)) throw invalidRequest('field input is required')
  },
  rerank(body) {
    if (isMissing(body.query)) throw new AppError('invalid_query')
    if (isMissing(body.documents)) throw new AppError('invalid_documents')
    if (typeof body.query !== 'string') throw invalidRequest('field query is not a string')
    if (!Array.isArray(body.documents)) throw invalidRequest('field documents is not a list')
  },
  images: checkPictures,
  speech(body) {
    if (typeof body.input !== 'string' || body.input === '') throw invalidAudio('input is required')
  },
  transcripts(body) {
    if (isMissing(body.file)) throw invalidAudio('file is required')
  },
  live() {},
  cached_content() {},
  // A session has no body.
  realtime() {},
  embeddings(body) {
    if (isMissing(body.input)) {
      throw new AppError('invalid_embedding_request', { params: { detail: 'input is empty' } })
    }
  },
}

/** Models of calls that name none; of pictures, the one that providers take then. */
const unnamed: Readonly<Partial<Record<RelayEndpoint, string>>> = {
  moderations: 'text-moderation-stable',
  images: 'dall-e-2',
  speech: 'tts-1',
  transcripts: 'whisper-1',
}

const modelOf = (endpoint: RelayEndpoint, body: Body, pathModel: string): string => {
  const model = body.model ?? ''
  if (typeof model !== 'string') throw invalidRequest('field model is not a string')
  return model || pathModel || (unnamed[endpoint] ?? '')
}

type CheckedCall = Pick<RelayCall, 'endpoint' | 'dialect' | 'path'>

export interface Checked {
  readonly model: string
  readonly stream: boolean
}

/** True if the body asks for a stream. */
const asksForStream = ({ endpoint, dialect }: Omit<CheckedCall, 'path'>, body: Body): boolean => {
  if (dialect !== undefined) return dialect.requestRules.asksForStream(body)
  return endpoint === 'completions' && body.stream === true
}

/**
 * Checks the fields that we use. Everything else, empty texts and lists included, is left to the upstream.
 * Throws AppError.
 */
export const checkRequest = (call: CheckedCall, body: Body, pathModel: string): Checked => {
  const { endpoint, dialect } = call
  const model = modelOf(endpoint, body, pathModel)
  if (model === '') throw invalidRequest('model is required')
  checkModelName(model)
  if (dialect !== undefined) dialect.requestRules.check(body)
  else if (endpoint !== 'conversation') checks[endpoint](body, model, call.path)
  checkMaxTokens(body.max_tokens)
  checkMaxTokens(body.max_completion_tokens)
  return { model, stream: asksForStream(call, body) }
}
