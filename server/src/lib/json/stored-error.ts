import {
  type Cause,
  type ErrorCode,
  type ErrorParams,
  errorParams,
  errors,
  errorText,
  type Language,
} from '@tollgate/contract'
import { parseJson } from '@tollgate/contract/json'
import { z } from 'zod'
import { AppError } from '../app-error.ts'
import { shortText } from '../bounded-text.ts'
import { reasonOf } from '../reason-of.ts'

const isErrorCode = (code: string | undefined): code is ErrorCode => code !== undefined && Object.hasOwn(errors, code)

const stored = z.object({ code: z.string().refine(isErrorCode), params: errorParams })

/** An error of ours as the cause of something, its text in Chinese. */
export const ownCause = (code: ErrorCode, params: ErrorParams = {}): Cause => ({
  text: errorText(code, 'zh', params),
  code,
  params,
})

/** A cause with its text in a language where it is ours; what another program wrote stays as it is. */
export const causeIn = (cause: Cause, language: Language): Cause =>
  isErrorCode(cause.code) ? { ...cause, text: errorText(cause.code, language, cause.params) } : cause

/**
 * A cause as a text to store of at most `most` UTF-16 units: by code and parameters where it is ours, so that each reader
 * gets it in their language.
 */
export const printedCause = ({ text, code, params = {} }: Cause, most: number): string => {
  const printed = code === undefined ? '' : JSON.stringify({ code, params })
  return printed === '' || printed.length > most ? shortText(text, most) : printed
}

/** The same of why something failed: an error of ours, or the message of any other. */
export const printedError = (error: unknown, most: number): string =>
  error instanceof AppError
    ? printedCause({ text: error.message, ...error.asFields }, most)
    : shortText(reasonOf(error), most)

/** A stored error in a language; with code and parameters where it is ours. Texts of earlier versions stay as they are. */
export const readError = (text: string, language: Language): Cause => {
  const { data } = stored.safeParse(parseJson(text))
  return data === undefined ? { text } : causeIn({ text, ...data }, language)
}
