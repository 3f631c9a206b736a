import type { ClientError, ErrorFormat } from '../../dialects/errors.ts'
import { dataEvent } from '../../lib/sse.ts'

/** How clients of the task platforms read errors of ours. */

const codeText = ({ code }: ClientError): string => (code === null ? '' : String(code))

export const drawingErrors: ErrorFormat = {
  body: (error, message) => ({ code: 4, description: `${codeText(error)} ${message}`, type: 'upstream_error' }),
  event: dataEvent,
}

export const songErrors: ErrorFormat = {
  body: (error, message) => ({ code: codeText(error), message, data: null }),
  event: dataEvent,
}
