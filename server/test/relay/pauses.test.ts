import { describe, expect, it } from 'vitest'
import { ask, gateway, hi, hiStream, reopenGateway, upstream, useScene } from '../support/gateway/scene.ts'
import { chunk, completion, type Received } from '../support/gateway/upstream.ts'

/** How long an upstream may say nothing in the middle of its answer. */

useScene()

const timeouts = { connect: 60_000, firstByte: 60_000, streamIdle: 200 }

/** Stops for longer than a stream may; timers of undici are up to a second late. */
const halting =
  (type: string, first: string, rest: string) =>
  ({ response }: Received): void => {
    response.writeHead(200, { 'content-type': type }).write(first)
    setTimeout(() => response.end(rest), 2500)
  }

describe('a pause', () => {
  it('ends a stream', async () => {
    await reopenGateway({ limits: { ...gateway.parts.limits, timeouts } })
    upstream.answer = halting('text/event-stream', chunk('one'), chunk('two'))
    const text = await (await ask(hiStream)).text()
    expect(text).toContain('one')
    expect(text).not.toContain('two')
  })

  it('may be as long in a plain answer as the wait for its beginning', async () => {
    await reopenGateway({ limits: { ...gateway.parts.limits, timeouts } })
    const whole = JSON.stringify(completion('late'))
    upstream.answer = halting('application/json', whole.slice(0, 40), whole.slice(40))
    expect(await (await ask(hi)).json()).toEqual(completion('late'))
  })

  it('is counted as in a stream where nothing bounds that wait', async () => {
    await reopenGateway({ limits: { ...gateway.parts.limits, timeouts: { ...timeouts, firstByte: 0 } } })
    const whole = JSON.stringify(completion('late'))
    upstream.answer = halting('application/json', whole.slice(0, 40), whole.slice(40))
    expect((await ask(hi)).status).toBeGreaterThanOrEqual(500)
  })
})
