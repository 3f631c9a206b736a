import { dataEvent } from '../../lib/sse.ts'
import type { ErrorFormat } from '../errors.ts'
import { openaiErrors } from '../openai-chat/errors.ts'

export const errors: ErrorFormat = {
  body: openaiErrors.body,
  /** Clients read the error's fields from the event or from its `error`, so both have them. */
  event(body) {
    const { error } = JSON.parse(body) as { error: { message: string; code?: unknown; param?: unknown } }
    const { message, code = null, param = null } = error
    return `event: error\n${dataEvent(JSON.stringify({ type: 'error', code, message, param, error }))}`
  },
}
