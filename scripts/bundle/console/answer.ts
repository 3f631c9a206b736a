// In the bundle `LightResponse` is the listener's own class, see `without-fetch.ts`.
// @ts-expect-error The package does not say that it has one.
import { LightResponse } from '@hono/node-server'

type Given = ConstructorParameters<typeof globalThis.Response>

const answerOf = (body?: Given[0], init?: Given[1]): object => {
  if (body !== null && body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array)) {
    return new globalThis.Response(body, init)
  }
  const answer = new LightResponse(body, init)
  // Makes them, so that a name or value that is not allowed fails here and not when it is sent.
  void answer.headers
  return answer
}

/** An answer whose text or bytes go to the socket as they are. Streams get Node's own class, which reads ahead. */
export const Response = new Proxy(class {}, {
  construct: (_, [body, init]: [Given[0]?, Given[1]?]) => answerOf(body, init),
}) as unknown as typeof globalThis.Response
