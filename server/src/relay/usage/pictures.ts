import { ownMember } from '@tollgate/contract/own-member'
import { sizeOfFile } from '../../billing/counting/image-size.ts'
import type { ExpectedPictures } from '../../billing/reserve.ts'
import type { Pictures } from '../../billing/usage.ts'
import { membersOf, objectsOf } from '../../dialects/conversation/json.ts'
import type { RelayCall } from '../call.ts'

/** Price factors relative to a square of 1024; other sizes cost the same as that. */
const sizeRatios: Readonly<Record<string, number>> = {
  '256x256': 0.4,
  '512x512': 0.45,
  '1024x1792': 2,
  '1792x1024': 2,
}

/** True if pictures that the client sends are to be changed by a prompt. */
export const isEdit = ({ path }: Pick<RelayCall, 'path'>): boolean => path.endsWith('/images/edits')

/** True if variations of a picture are wanted, without a prompt. */
export const isVariation = ({ path }: Pick<RelayCall, 'path'>): boolean => path.endsWith('/images/variations')

const textOf = (value: unknown, otherwise: string): string =>
  typeof value === 'string' && value !== '' ? value : otherwise

/** Requested pictures. */
interface Wanted extends Pictures {
  readonly size: string
  readonly quality: string
}

/** The only model with prices by quality. */
const finest = 'dall-e-3'

const qualityRatio = (model: string, quality: string, size: string): number => {
  if (model !== finest || quality !== 'hd') return 1
  return ownMember(sizeRatios, size) === 2 ? 1.5 : 2
}

const mostInSequence = 15

/** Most pictures of a Seedream sequence, which one request may draw (volcengine.com/docs/82379/1541523); each is charged. */
const sequenceOf = ({ sequential_image_generation: mode, ...body }: RelayCall['body']): number => {
  if (mode !== 'auto') return 1
  const { max_images: most } = membersOf(body.sequential_image_generation_options)
  const isBound = Number.isInteger(most) && Number(most) >= 1 && Number(most) <= mostInSequence
  return isBound ? Number(most) : mostInSequence
}

/** Requested pictures of a checked body; `model` decides whether quality has a price. */
export const wantedPictures = ({ body }: Pick<RelayCall, 'body'>, model: string): Wanted => {
  const size = textOf(body.size, '1024x1024')
  const quality = textOf(body.quality, 'standard')
  const ratio = (ownMember(sizeRatios, size) ?? 1) * qualityRatio(model, quality, size)
  const count = typeof body.n === 'number' && body.n > 0 ? body.n : 1
  return { count: Math.max(count, sequenceOf(body)), ratio, size, quality }
}

/** Most tokens of one picture, by OpenAI's models and Google's. */
const mostTokens = 1600
const mostTokensOfFine = 6300

/** Maximum size of the pictures: the model is unknown before a channel is chosen. */
export const dearestPictures = (call: Pick<RelayCall, 'body'>): ExpectedPictures => {
  const { count, ratio, quality } = wantedPictures(call, finest)
  return { count, ratio, tokens: quality === 'high' ? mostTokensOfFine : mostTokens }
}

/**
 * Most tokens of one prompt picture for models that count tiles: gpt-image-1 at high detail
 * (platform.openai.com/docs/guides/images-vision), which exceeds the reports of Google's models.
 */
const mostTokensOfTiles = 6700
/** Models that count squares of 32 pixels use at most 1.2 tokens for each. */
const squareSide = 32
const tokensOfSquare = 1.2
/** Tokens of a picture of unknown size: as many as of 12 million pixels. */
const tokensOfUnknown = 15_000

const mostTokensOf = (picture: Buffer): number => {
  const size = sizeOfFile(picture)
  if (size === undefined) return tokensOfUnknown
  const squares = Math.ceil(size.width / squareSide) * Math.ceil(size.height / squareSide)
  return Math.max(mostTokensOfTiles, Math.ceil(squares * tokensOfSquare))
}

/** Number of pictures in JSON, whose bytes are not read. */
const namedPictures = ({ image, images, mask }: RelayCall['body']): number =>
  [image, images, mask].reduce<number>((sum, value) => {
    if (Array.isArray(value)) return sum + value.length
    return sum + (value === undefined || value === null || value === '' ? 0 : 1)
  }, 0)

/** Most prompt tokens of the pictures to edit, masks included. */
export const uploadedTokens = (call: Pick<RelayCall, 'path' | 'form' | 'body'>): number => {
  if (call.form !== undefined) return call.form.files.reduce((sum, file) => sum + mostTokensOf(file), 0)
  return isEdit(call) || isVariation(call) ? namedPictures(call.body) * tokensOfUnknown : 0
}

/** True for a picture; an item with an error was not drawn. */
const isPicture = ({ error }: Readonly<Record<string, unknown>>): boolean => !error

/** Delivered pictures, if the answer lists them; never more than requested, which is what was held. */
export const deliveredPictures = (wanted: Wanted, answer: Readonly<Record<string, unknown>>): Pictures => {
  const { count } = wanted
  const came = Array.isArray(answer.data) ? objectsOf(answer.data).filter(isPicture).length : count
  return { ...wanted, count: Math.min(count, came) }
}
