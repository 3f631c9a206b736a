import type { RefusalFields } from '../api/contract.ts'
import { errorIn } from '../i18n.ts'

/** Why a row of an answer failed, in the reader's language; `text` is what the server wrote. */
export const refusalText = (text: string, { code, params }: RefusalFields): string =>
  code === undefined ? text : errorIn(code, text, params)
