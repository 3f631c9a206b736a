import { EventStreamCodec } from '@smithy/eventstream-codec'
import { fromUtf8, toUtf8 } from '@smithy/util-utf8'

const codec = new EventStreamCodec(toUtf8, fromUtf8)

const header = (value: string) => ({ type: 'string' as const, value })

const frame = (data: string): Buffer => {
  const bytes = Buffer.from(data).toString('base64')
  const headers = {
    ':message-type': header('event'),
    ':event-type': header('chunk'),
    ':content-type': header('application/json'),
  }
  return Buffer.from(codec.encode({ headers, body: fromUtf8(JSON.stringify({ bytes })) }))
}

/** Server-sent events of Anthropic as Bedrock frames them (docs.aws.amazon.com: InvokeModelWithResponseStream). */
export const eventStream = (events: string): Buffer =>
  Buffer.concat(
    events
      .split('\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => frame(line.slice('data: '.length))),
  )
