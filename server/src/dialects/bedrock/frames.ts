import { ownMember } from '@tollgate/contract/own-member'
import { reasonOf } from '../../lib/reason-of.ts'
import { isObject, parsedJson, textOf } from '../conversation/json.ts'
import type { Frames } from '../frames.ts'
import { eventStreamCodec } from './client-frames.ts'

/** One message of AWS's event streams (smithy.io/2.0/aws/amazon-eventstream.html). */
export interface EventMessage {
  /** `exception` for an error in the middle of a stream. */
  readonly kind: 'event' | 'exception'
  /** Name of the event or the exception. */
  readonly type: string
  /** JSON text. */
  readonly payload: string
}

const lengthBytes = 4
/** Bytes of the smallest message: a prelude and two checksums. */
const smallest = 16
/** Bytes; the service sends no larger message. */
const largest = 24 * 1024 * 1024

const decoded = (bytes: Buffer): EventMessage => {
  const { headers, body } = eventStreamCodec().decode(bytes)
  const header = (name: string): string => textOf(ownMember(headers, name)?.value)
  const payload = Buffer.from(body).toString()
  if (header(':message-type') === 'event') return { kind: 'event', type: header(':event-type'), payload }
  const type = header(':exception-type') || header(':error-code')
  const message = header(':error-message')
  return { kind: 'exception', type, payload: message === '' ? payload : JSON.stringify({ message }) }
}

const broken = (reason: string): EventMessage => ({
  kind: 'exception',
  type: 'brokenStream',
  payload: JSON.stringify({ message: `the event stream cannot be read: ${reason}` }),
})

/** Splits an event stream into messages. `print` converts a message to the text that the dialect's reader gets. */
export const awsFrames = (print: (message: EventMessage) => string) => (): Frames => {
  let held = Buffer.alloc(0)
  let isBroken = false

  const stop = (reason: string): string => {
    isBroken = true
    held = Buffer.alloc(0)
    return print(broken(reason))
  }

  /** undefined while the next message is incomplete. */
  const next = (): string | undefined => {
    if (isBroken || held.length < lengthBytes) return undefined
    const length = held.readUInt32BE(0)
    if (length < smallest || length > largest) return stop(`a message of ${length} bytes`)
    if (held.length < length) return undefined
    const bytes = held.subarray(0, length)
    held = held.subarray(length)
    try {
      return print(decoded(bytes))
    } catch (error) {
      return stop(reasonOf(error))
    }
  }

  return {
    push(chunk) {
      // A copy, so that the memory of the network chunk is freed.
      held = Buffer.concat([held, chunk])
      const messages: string[] = []
      for (let message = next(); message !== undefined; message = next()) if (message !== '') messages.push(message)
      return messages
    },
    rest: () => (held.length === 0 || isBroken ? [] : [stop('it ended in the middle of a message')]),
    get heldBytes() {
      return held.length
    },
  }
}

/** The error text of an exception; its type if it has none. */
export const exceptionText = ({ payload, type }: EventMessage): string => {
  const json = parsedJson(payload)
  return (isObject(json) ? textOf(json.message) || textOf(json.originalMessage) : '') || type
}

/** Anthropic's error type for each exception. */
const errorTypes: Readonly<Record<string, string>> = {
  throttlingException: 'rate_limit_error',
  validationException: 'invalid_request_error',
  accessDeniedException: 'permission_error',
  serviceUnavailableException: 'overloaded_error',
}

/** Decodes an event of Anthropic's stream, which the frame holds as base64 (Bedrock's InvokeModelWithResponseStream). */
const claudeText = (message: EventMessage): string => {
  if (message.kind === 'event') {
    const chunk = parsedJson(message.payload)
    return isObject(chunk) ? Buffer.from(textOf(chunk.bytes), 'base64').toString() : ''
  }
  const type = ownMember(errorTypes, message.type) ?? 'api_error'
  return JSON.stringify({ type: 'error', error: { type, message: exceptionText(message) } })
}

export const claudeFrames = awsFrames(claudeText)

/** Writes a frame as `{"contentBlockDelta": {…}}`, or an exception as `{"exception": {type, message}}`. */
const converseText = (message: EventMessage): string =>
  message.kind === 'event'
    ? `{${JSON.stringify(message.type)}:${message.payload || '{}'}}`
    : JSON.stringify({ exception: { type: message.type, message: exceptionText(message) } })

export const converseFrames = awsFrames(converseText)
