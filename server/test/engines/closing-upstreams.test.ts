import { expect, it } from 'vitest'
import { ask, hi, hiStream, lastRecord, upstream, useScene } from '../support/gateway/scene.ts'
import { chunk, completion, done, json, type Received, stream, usageChunk } from '../support/gateway/upstream.ts'

/** uvicorn closes the connection after a 500 without saying so: the next caller's request meets it. */

useScene()

/** Answers with an error, and lets the next request over the same connection die. */
const closingAfterError = (good: (call: Received) => void): ((call: Received) => void) => {
  const failed = new WeakSet<object>()
  let isFirst = true
  return (call) => {
    const { socket } = call.response
    if (socket !== null && failed.has(socket)) {
      socket.destroy()
      return
    }
    if (!isFirst) {
      good(call)
      return
    }
    isFirst = false
    if (socket !== null) failed.add(socket)
    json({ error: { message: 'Internal Server Error' } }, 500)(call)
  }
}

it.each([
  ['a plain call', hi, json(completion('fine'))],
  ['a stream', hiStream, stream(chunk('fine'), usageChunk(10, 5), done)],
])('%s after it is answered all the same', async (_, body, good) => {
  upstream.answer = closingAfterError(good)
  expect((await ask(hi)).status).toBe(500)
  const response = await ask(body)
  expect(response.status).toBe(200)
  expect(await response.text()).toContain('fine')
  expect(lastRecord()).toMatchObject({ kind: 'charge', promptTokens: 10, completionTokens: 5 })
  expect(upstream.received).toHaveLength(3)
})
