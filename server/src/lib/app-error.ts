import {
  type ErrorCode,
  type ErrorParams,
  type ErrorText,
  errors,
  errorText,
  type Language,
  namedParams,
} from '@tollgate/contract'
import { shortText } from './bounded-text.ts'

/** UTF-16 units of a parameter in an error text, which may repeat client input. Model names are cut shorter. */
const longestParam = 500
const longestModel = 120
const longestOf = (name: string): number => (name === 'model' ? longestModel : longestParam)

const shortParams = (params: ErrorParams): ErrorParams => {
  const isLong = Object.entries(params).some(
    ([name, value]) => typeof value === 'string' && value.length > longestOf(name),
  )
  if (!isLong) return params
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'string' ? shortText(value, longestOf(name)) : value,
    ]),
  )
}

/**
 * The error of every expected failure. Texts and status come from the contract's table; `cause` and `details` go to the operator's
 * log only.
 */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly params: ErrorParams
  readonly details: Readonly<Record<string, unknown>>
  /** Console only: `data` of the envelope, e.g. the refused options by key. */
  readonly data: unknown
  /** Console only: members beside `data`, e.g. the duration of a failed test. */
  readonly beside: Readonly<Record<string, unknown>>
  /** Relay only: seconds after which the same call may pass. */
  readonly retryAfter: number | undefined

  constructor(
    code: ErrorCode,
    more: {
      params?: ErrorParams
      details?: Readonly<Record<string, unknown>>
      data?: unknown
      beside?: Readonly<Record<string, unknown>>
      retryAfter?: number | undefined
      cause?: unknown
    } = {},
  ) {
    const params = more.params === undefined ? {} : shortParams(more.params)
    super(errorText(code, 'en', params), more.cause === undefined ? undefined : { cause: more.cause })
    this.name = 'AppError'
    this.code = code
    this.params = params
    this.details = more.details ?? {}
    this.data = more.data
    this.beside = more.beside ?? {}
    this.retryAfter = more.retryAfter
  }

  get entry(): ErrorText {
    return errors[this.code]
  }

  textIn(language: Language): string {
    return errorText(this.code, language, this.params)
  }

  /** The parameters that the error's texts name, for readers of a language that the server does not write. */
  get namedParams(): ErrorParams | undefined {
    return namedParams(this.code, this.params)
  }

  /** The error beside its text in a row of an answer: the console writes the text in the reader's language. */
  get asFields(): { readonly code: ErrorCode; readonly params: ErrorParams | undefined } {
    return { code: this.code, params: this.namedParams }
  }
}
