import type { Cause, RefusalFields } from '../api/contract.ts'
import { errorIn } from '../i18n.ts'

/** Why a row of an answer failed, in the reader's language; `text` is what the server wrote. */
export const refusalText = (text: string, { code, params }: RefusalFields): string =>
  code === undefined ? text : errorIn(code, text, params)

/** A cause in the reader's language; empty where there is none. */
export const causeText = (cause: Cause | undefined): string =>
  cause === undefined ? '' : refusalText(cause.text, cause)
