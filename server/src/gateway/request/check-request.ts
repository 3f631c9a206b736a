import { ownMember } from '@tollgate/contract/own-member'
import { AppError } from '../../lib/app-error.ts'
import type { RelayEndpoint } from '../../relay/call.ts'
import { checkModelName } from '../bounds/model-name.ts'

type Body = Readonly<Record<string, unknown>>

const largestMaxTokens = 1_073_741_823

const invalid = (detail: string): AppError => new AppError('invalid_text_request', { params: { detail } })

const isMissing = (value: unknown): boolean => value === undefined || value === null

const checkMaxTokens = (value: unknown): void => {
  if (typeof value === 'number' && value > largestMaxTokens) throw invalid('max_tokens is invalid')
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

/** The number is what is paid for. */
const checkPictures = ({ prompt, n, size }: Body, model: string): void => {
  if (typeof prompt !== 'string' || prompt === '') throw invalidImage('prompt is required')
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

const checks: Readonly<Record<RelayEndpoint, (body: Body, model: string) => void>> = {
  chat(body) {
    if (isMissing(body.messages)) throw invalid('field messages is required')
    if (!Array.isArray(body.messages)) throw invalid('field messages is not a list')
  },
  messages(body) {
    if (isMissing(body.messages)) throw invalid('field messages is required')
    if (!Array.isArray(body.messages)) throw invalid('field messages is not a list')
  },
  responses(body) {
    if (isMissing(body.input) && isMissing(body.prompt)) throw invalid('field input is required')
  },
  gemini(body) {
    if (isMissing(body.contents)) throw invalid('field contents is required')
    if (!Array.isArray(body.contents)) throw invalid('field contents is not a list')
  },
  completions(body) {
    if (isMissing(body.prompt)) throw invalid('field prompt is required')
  },
  moderations(body) {
    if (isMissing(body.input)) throw invalid('field input is required')
  },
  rerank(body) {
    if (isMissing(body.query)) throw new AppError('invalid_query')
    if (isMissing(body.documents)) throw new AppError('invalid_documents')
    if (typeof body.query !== 'string') throw invalid('field query is not a string')
    if (!Array.isArray(body.documents)) throw invalid('field documents is not a list')
  },
  images: checkPictures,
  speech(body) {
    if (typeof body.input !== 'string' || body.input === '') throw invalidAudio('input is required')
  },
  transcripts(body) {
    if (isMissing(body.file)) throw invalidAudio('file is required')
  },
  // A session has no body.
  realtime() {},
  embeddings(body) {
    if (isMissing(body.input)) {
      throw new AppError('invalid_embedding_request', { params: { detail: 'input is empty' } })
    }
  },
}

/** Models of those who name none; of pictures, the one that providers take then. */
const unnamed: Readonly<Partial<Record<RelayEndpoint, string>>> = {
  moderations: 'text-moderation-stable',
  images: 'dall-e-2',
  speech: 'tts-1',
  transcripts: 'whisper-1',
}

const modelOf = (endpoint: RelayEndpoint, body: Body, pathModel: string): string => {
  const asked = body.model ?? ''
  if (typeof asked !== 'string') throw invalid('field model is not a string')
  return asked || pathModel || (unnamed[endpoint] ?? '')
}

const streaming: ReadonlySet<RelayEndpoint> = new Set(['chat', 'completions', 'messages', 'responses'])

export interface Checked {
  readonly model: string
  readonly stream: boolean
}

/**
 * Checks what we use. The rest, empty texts and lists included, is the upstream's business.
 * Throws AppError.
 */
export const checkRequest = (endpoint: RelayEndpoint, body: Body, pathModel: string): Checked => {
  const model = modelOf(endpoint, body, pathModel)
  if (model === '') throw invalid('model is required')
  checkModelName(model)
  checks[endpoint](body, model)
  checkMaxTokens(body.max_tokens)
  checkMaxTokens(body.max_completion_tokens)
  const streams = streaming.has(endpoint)
  return { model, stream: streams && body.stream === true }
}
