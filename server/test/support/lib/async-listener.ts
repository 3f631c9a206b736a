import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

/** A listener that waits for the bodies of its requests. One that breaks off, as its client or server ends, is no error outside the tests. */
export const asyncListener =
  (answer: (request: IncomingMessage, response: ServerResponse) => Promise<unknown>): RequestListener =>
  (request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (request.complete) throw error
    })
  }
