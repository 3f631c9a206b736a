import { dataEvent } from '../../lib/sse.ts'
import type { ErrorFormat } from '../errors.ts'

/** Errors as Cohere's clients read them (docs.cohere.com/reference/errors). */
export const cohereClientErrors: ErrorFormat = {
  body: (_, message) => ({ message }),
  event: dataEvent,
}
