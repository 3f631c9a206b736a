import type { ErrorFormat } from '../../../src/dialects/errors.ts'
import { dataEvent } from '../../../src/lib/sse.ts'

export const errors: ErrorFormat = {
  body: ({ status }, message) => ({ fault: { number: status, message } }),
  event: dataEvent,
}
