import { ownMember } from '@tollgate/contract/own-member'
import { sizeOfFile } from '../../billing/counting/image-size.ts'
import type { ExpectedPictures } from '../../billing/reserve.ts'
import type { Pictures } from '../../billing/usage.ts'
import { membersOf, objectsOf } from '../../dialects/conversation/json.ts'
import type { RelayCall } from '../call.ts'

/** Relative to a square of 1024; other sizes cost the same as that. */
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

/** What a client wants drawn. */
interface Wanted extends Pictures {
  readonly size: string
  readonly quality: string
}

/** The only model whose quality is paid for. */
const finest = 'dall-e-3'

const qualityRatio = (model: string, quality: string, size: string): number => {
  if (model !== finest || quality !== 'hd') return 1
  return ownMember(sizeRatios, size) === 2 ? 1.5 : 2
}

const mostInSequence = 15

/** Seedream may draw a sequence where one picture was asked for (volcengine.com/docs/82379/1541523); each of it costs. */
const sequenceOf = ({ sequential_image_generation: mode, ...body }: RelayCall['body']): number => {
  if (mode !== 'auto') return 1
  const { max_images: most } = membersOf(body.sequential_image_generation_options)
  const isBound = Number.isInteger(most) && Number(most) >= 1 && Number(most) <= mostInSequence
  return isBound ? Number(most) : mostInSequence
}

/** `model` decides whether quality is paid for; the body has been checked. */
export const wantedPictures = ({ body }: Pick<RelayCall, 'body'>, model: string): Wanted => {
  const size = textOf(body.size, '1024x1024')
  const quality = textOf(body.quality, 'standard')
  const ratio = (ownMember(sizeRatios, size) ?? 1) * qualityRatio(model, quality, size)
  const count = typeof body.n === 'number' && body.n > 0 ? body.n : 1
  return { count: Math.max(count, sequenceOf(body)), ratio, size, quality }
}

/** The most that one picture is made of, by OpenAI's models and Google's. */
const mostTokens = 1600
const mostTokensOfFine = 6300

/** What they can cost at most: before a channel is chosen the model that will draw is unknown. */
export const dearestPictures = (call: Pick<RelayCall, 'body'>): ExpectedPictures => {
  const { count, ratio, quality } = wantedPictures(call, finest)
  return { count, ratio, tokens: quality === 'high' ? mostTokensOfFine : mostTokens }
}

/**
 * What one picture of a prompt comes to at most where the model reckons in tiles: one that is looked at closely by gpt-image-1
 * (platform.openai.com/docs/guides/images-vision), which is more than Google's models report.
 */
const mostTokensOfTiles = 6700
/** One that reckons in squares of 32 pixels at most counts 1.2 tokens for each. */
const squareSide = 32
const tokensOfSquare = 1.2
/** Of a picture whose size cannot be read: as many as of 12 million pixels. */
const tokensOfUnknown = 15_000

const mostTokensOf = (picture: Buffer): number => {
  const size = sizeOfFile(picture)
  if (size === undefined) return tokensOfUnknown
  const squares = Math.ceil(size.width / squareSide) * Math.ceil(size.height / squareSide)
  return Math.max(mostTokensOfTiles, Math.ceil(squares * tokensOfSquare))
}

/** Pictures that JSON names or holds, which are not looked at. */
const namedPictures = ({ image, images, mask }: RelayCall['body']): number =>
  [image, images, mask].reduce<number>((sum, value) => {
    if (Array.isArray(value)) return sum + value.length
    return sum + (value === undefined || value === null || value === '' ? 0 : 1)
  }, 0)

/** Prompt tokens that the pictures which a client sends to be changed, masks included, may come to at most. */
export const uploadedTokens = (call: Pick<RelayCall, 'path' | 'form' | 'body'>): number => {
  if (call.form !== undefined) return call.form.files.reduce((sum, file) => sum + mostTokensOf(file), 0)
  return isEdit(call) || isVariation(call) ? namedPictures(call.body) * tokensOfUnknown : 0
}

/** An item with an error stands for a picture that was not made. */
const isPicture = ({ error }: Readonly<Record<string, unknown>>): boolean => !error

/** As many as came, where the answer says so; never more than were asked for, which is what was held. */
export const deliveredPictures = (wanted: Wanted, answer: Readonly<Record<string, unknown>>): Pictures => {
  const { count } = wanted
  const came = Array.isArray(answer.data) ? objectsOf(answer.data).filter(isPicture).length : count
  return { ...wanted, count: Math.min(count, came) }
}
