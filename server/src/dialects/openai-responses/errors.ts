import { dataEvent } from '../../lib/sse.ts'
import type { ErrorFormat } from '../errors.ts'
import { openaiErrors } from '../openai-chat/errors.ts'

export const errors: ErrorFormat = {
  body: openaiErrors.body,
  /** Clients look for the fields of the error beside it and inside it. */
  event(body) {
    const { error } = JSON.parse(body) as { error: { message: string; code?: unknown; param?: unknown } }
    const { message, code = null, param = null } = error
    return `event: error\n${dataEvent(JSON.stringify({ type: 'error', code, message, param, error }))}`
  },
}
