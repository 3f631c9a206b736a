import { EventStreamCodec } from '@smithy/eventstream-codec'
import { fromUtf8, toUtf8 } from '@smithy/util-utf8'
import { ownMember } from '@tollgate/contract/own-member'
import { isObject, parsedJson, textOf } from '../conversation/json.ts'
import type { Frames } from '../frames.ts'

/** One message of AWS's event streams (smithy.io/2.0/aws/amazon-eventstream.html). */
export interface EventMessage {
  /** An exception is what went wrong in the middle of a stream. */
  readonly kind: 'event' | 'exception'
  /** Name of the event or the exception. */
  readonly type: string
  /** JSON. */
  readonly payload: string
}

const lengthBytes = 4
/** The smallest message has a prelude and two checksums. */
const smallest = 16
/** Larger than anything the service sends. */
const largest = 24 * 1024 * 1024

const codec = new EventStreamCodec(toUtf8, fromUtf8)

const decoded = (bytes: Buffer): EventMessage => {
  const { headers, body } = codec.decode(bytes)
  const header = (name: string): string => textOf(ownMember(headers, name)?.value)
  const payload = toUtf8(body)
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

/** Cuts an event stream; `print` says what the dialect's reader gets of a message. */
export const awsFrames = (print: (message: EventMessage) => string) => (): Frames => {
  let held = Buffer.alloc(0)
  let isBroken = false

  const stop = (reason: string): string => {
    isBroken = true
    held = Buffer.alloc(0)
    return print(broken(reason))
  }

  /** undefined when the next message is not whole yet. */
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
      return stop(error instanceof Error ? error.message : String(error))
    }
  }

  return {
    push(chunk) {
      // A copy, so that the network chunk's memory is not kept.
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

/** The words of an exception. */
export const exceptionText = ({ payload, type }: EventMessage): string => {
  const json = parsedJson(payload)
  return (isObject(json) ? textOf(json.message) || textOf(json.originalMessage) : '') || type
}
