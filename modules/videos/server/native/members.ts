import { ownMember } from '@tollgate/contract/own-member'
import type { JsonObject } from '#server/dialects/conversation/json.ts'
import { AppError } from '#server/lib/app-error.ts'
import { isStorable } from '#server/lib/bounded-text.ts'
import { figureIn } from '../providers/shapes.ts'

/** Seconds that no provider's videos exceed. */
const longestSeconds = 600
/** UTF-16 units. */
const longestPrompt = 32_000

/** Error of a member without a price. */
export const invalidMember = (name: string, detail: string): AppError =>
  new AppError('video_parameter_invalid', { params: { name, detail } })

/** Refuses a request that lacks a member on which its price depends. */
export const missing = (name: string): never => {
  throw invalidMember(name, 'it is missing')
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null

/** A text for the row of a video; empty where there is none. Throws AppError for other types. */
export const promptIn = (body: JsonObject, name: string): string => {
  const value = ownMember(body, name)
  if (isAbsent(value)) return ''
  if (typeof value !== 'string' || (value !== '' && !isStorable(value, longestPrompt)))
    throw invalidMember(name, `a text of at most ${longestPrompt} characters`)
  return value
}

/** The seconds of a member that is a number, or a number as text; undefined where it is absent. Throws AppError for all else. */
export const secondsIn = (body: JsonObject, name: string): number | undefined => {
  const value = ownMember(body, name)
  if (isAbsent(value)) return undefined
  const seconds = typeof value === 'string' && !/^\d+(\.\d+)?$/.test(value) ? undefined : figureIn(value)
  if (seconds === undefined || seconds > longestSeconds) throw invalidMember(name, `a number up to ${longestSeconds}`)
  return seconds
}

/** A member that is one of some words; undefined where it is absent. Throws AppError for words without a price. */
export const wordIn = (body: JsonObject, name: string, words: readonly string[]): string | undefined => {
  const value = ownMember(body, name)
  if (isAbsent(value)) return undefined
  const word = words.find((one) => one === value)
  if (word === undefined) throw invalidMember(name, words.join(', '))
  return word
}

/** A member that is true or false; undefined where it is absent. Throws AppError. */
export const flagIn = (body: JsonObject, name: string): boolean | undefined => {
  const value = ownMember(body, name)
  if (isAbsent(value)) return undefined
  if (typeof value !== 'boolean') throw invalidMember(name, 'true or false')
  return value
}

/** Decodes one segment of a path; undefined where it cannot be an id. */
export const segmentOf = (text: string | undefined): string | undefined => {
  try {
    const id = decodeURIComponent(text ?? '')
    return id === '' || id === '.' || id === '..' || id.includes('/') ? undefined : id
  } catch {
    return undefined
  }
}
