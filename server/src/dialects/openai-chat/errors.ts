import { dataEvent } from '../../lib/sse.ts'
import type { ErrorFormat } from '../errors.ts'

/** OpenAI's error object. Errors before the relay (`early`) have neither `code` nor `param`. */
export const openaiErrors: ErrorFormat = {
  body: ({ type, param, code, early }, message) => ({
    error: early ? { message, type } : { message, type, param, code },
  }),
  event: dataEvent,
}
