import { awsFrames, type EventMessage, exceptionText } from './frames.ts'

/** `{"contentBlockDelta": {…}}`, or `{"exception": {type, message}}`. */
const print = (message: EventMessage): string =>
  message.kind === 'event'
    ? `{${JSON.stringify(message.type)}:${message.payload || '{}'}}`
    : JSON.stringify({ exception: { type: message.type, message: exceptionText(message) } })

export const converseFrames = awsFrames(print)
