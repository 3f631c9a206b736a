import type { Message } from '@smithy/eventstream-codec'
import { onFirstUse, packageOnUse } from '../../lib/on-first-use.ts'

const codecs = packageOnUse<typeof import('@smithy/eventstream-codec')>('@smithy/eventstream-codec')
const texts = packageOnUse<typeof import('@smithy/util-utf8')>('@smithy/util-utf8')

/** Reads and writes the messages of AWS's event streams. */
export const eventStreamCodec = onFirstUse(() => new (codecs().EventStreamCodec)(texts().toUtf8, texts().fromUtf8))

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
