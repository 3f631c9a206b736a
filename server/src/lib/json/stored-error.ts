import { type ErrorCode, errorParams, errors, errorText, type Language, type RefusalFields } from '@tollgate/contract'
import { parseJson } from '@tollgate/contract/json'
import { z } from 'zod'
import { AppError } from '../app-error.ts'
import { shortText } from '../bounded-text.ts'
import { reasonOf } from '../reason-of.ts'

const stored = z.object({
  code: z.string().refine((code): code is ErrorCode => Object.hasOwn(errors, code)),
  params: errorParams,
})

/**
 * Why something failed, as a text to store of at most `most` UTF-16 units: an error of ours by code and parameters, so that
 * each reader gets it in their language, any other by its message.
 */
export const printedError = (error: unknown, most: number): string => {
  if (!(error instanceof AppError)) return shortText(reasonOf(error), most)
  const text = JSON.stringify({ code: error.code, params: error.namedParams ?? {} })
  return text.length > most ? shortText(error.message, most) : text
}

/** A stored error in a language; with code and parameters where it is ours. Texts of earlier versions stay as they are. */
export const readError = (text: string, language: Language): { readonly text: string } & RefusalFields => {
  const { data } = stored.safeParse(parseJson(text))
  if (data === undefined) return { text }
  return { text: errorText(data.code, language, data.params), code: data.code, params: data.params }
}
