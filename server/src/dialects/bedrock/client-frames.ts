import type { Message } from '@smithy/eventstream-codec'
import { eventStreamCodec } from './event-stream-codec.ts'

/** Media type of AWS's event streams. */
export const eventStreamType = 'application/vnd.amazon.eventstream'

const text = (value: string): Message['headers'][string] => ({ type: 'string', value })

const encoded = (headers: Readonly<Record<string, string>>, body: object): Buffer => {
  const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, text(value)]))
  return Buffer.from(eventStreamCodec().encode({ headers: named, body: Buffer.from(JSON.stringify(body)) }))
}

const contentType = 'application/json'

/** One event of a stream, as AWS's clients read it (smithy.io/2.0/aws/amazon-eventstream.html). */
export const eventFrame = (type: string, body: object): Buffer =>
  encoded({ ':event-type': type, ':content-type': contentType, ':message-type': 'event' }, body)

/** The error that ends a stream. */
export const exceptionFrame = (type: string, message: string): Buffer =>
  encoded({ ':exception-type': type, ':content-type': contentType, ':message-type': 'exception' }, { message })
