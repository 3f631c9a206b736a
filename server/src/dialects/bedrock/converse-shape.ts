import type { ClientShape } from '../client-shape.ts'
import { membersOf, parsedJson, textOf } from '../conversation/json.ts'
import { writeConverseAnswer } from './client-answer.ts'
import { errors, streamException } from './client-errors.ts'
import { eventStreamType, exceptionFrame } from './client-frames.ts'
import { readConverseRequest } from './client-request.ts'
import { openConverseEvents } from './client-stream.ts'

const openFrames = (): ((payload: string) => Buffer) => {
  const framesOf = openConverseEvents()
  return (payload) => {
    const event = membersOf(parsedJson(payload))
    if (typeof event.__type === 'string') return exceptionFrame(streamException(event.__type), textOf(event.message))
    return framesOf(event)
  }
}

/** Bedrock's Converse (docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html), as a Messages request. */
export const converseShape: ClientShape = {
  path: '/v1/messages',
  read({ body }, target) {
    const request = readConverseRequest(body, target)
    return { raw: Buffer.from(JSON.stringify(request)), body: request }
  },
  write: writeConverseAnswer,
  frames: { contentType: eventStreamType, open: openFrames },
  errors,
}
