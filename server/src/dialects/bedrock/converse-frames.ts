import { awsFrames, type EventMessage, exceptionText } from './frames.ts'

/** Writes a frame as `{"contentBlockDelta": {…}}`, or an exception as `{"exception": {type, message}}`. */
const print = (message: EventMessage): string =>
  message.kind === 'event'
    ? `{${JSON.stringify(message.type)}:${message.payload || '{}'}}`
    : JSON.stringify({ exception: { type: message.type, message: exceptionText(message) } })

export const converseFrames = awsFrames(print)
