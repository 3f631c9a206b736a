import { describe, expect, it } from 'vitest'
import { priceOf } from '../support/billing/price.ts'
import {
  ask,
  channel,
  gateway,
  hi,
  lastRecord,
  reopenGateway,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import { json } from '../support/gateway/upstream.ts'
import { openTestHolds, testPrices } from '../support/relay/ports.ts'

useScene()

/** A tier that answers state although nobody asked for it: the charge is in that tier, and so are the holds of the calls that follow. */

const price = { ...priceOf('gpt-4o'), tiers: { priority: 2 } }
const usage = { prompt_tokens: 20, completion_tokens: 1000, total_tokens: 1020 }

const answering = (service_tier: string): void => {
  upstream.answer = (call) => {
    if (JSON.parse(call.body.toString()).stream !== true) {
      const choices = [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }]
      json({ id: 'c', object: 'chat.completion', model: 'gpt-4o', choices, service_tier, usage })(call)
      return
    }
    const chunk = (more: object) =>
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model: 'gpt-4o', ...more })}\n\n`
    const events = [
      // The chunk with the usage does not repeat it.
      chunk({
        service_tier,
        choices: [{ index: 0, delta: { role: 'assistant', content: 'Hi' }, finish_reason: null }],
      }),
      chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
      chunk({ choices: [], usage }),
    ]
    call.response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`${events.join('')}data: [DONE]\n\n`)
  }
}

describe.each([
  ['whole', false],
  ['streamed', true],
])('a call, %s', (_, stream) => {
  it.each([
    ['a tier that a price has', 'priority', 2, 0],
    ['one that no table knows', 'warp', 6, 1],
  ])('is charged in %s, and the next one is held for like that', async (__, tier, least, marks) => {
    await reopenGateway({ prices: testPrices(price) })
    useChannels(channel({ models: new Set(['gpt-4o']) }))
    answering(tier)
    const body = {
      ...hi,
      model: 'gpt-4o',
      max_tokens: 1000,
      stream,
      stream_options: stream ? { include_usage: true } : undefined,
    }
    const holds: number[] = []
    for (let call = 0; call < 2; call += 1) {
      const before = gateway.parts.holds.ends.length
      const answer = await ask(body)
      expect(answer.status).toBe(200)
      await answer.text()
      holds.push(gateway.parts.holds.ends[before]?.amount ?? 0)
      const { quota = 0, receipt } = lastRecord() ?? {}
      expect(quota).toBe((20 + 1000 * 4) * 1.25 * Number(receipt?.tier?.ratio))
      expect(Number(receipt?.tier?.ratio)).toBeGreaterThanOrEqual(least)
      expect(receipt?.provisional ?? []).toHaveLength(marks)
    }
    const { quota = 0 } = lastRecord() ?? {}
    expect(holds[0]).toBeLessThan(quota)
    expect(holds[1]).toBeGreaterThanOrEqual(quota)

    // The standard tier is held for again once an answer states it.
    answering('default')
    for (let call = 0; call < 2; call += 1) await (await ask(body)).text()
    expect(gateway.parts.holds.ends.at(-1)?.amount).toBe(holds[0])
  })

  it('is refused where the balance does not reach for that tier', async () => {
    const once = (20 + 1000 * 4) * 1.25 * 2
    await reopenGateway({ prices: testPrices(price), holds: openTestHolds(once + 1000 * 4 * 1.25 * 2 - 1) })
    useChannels(channel({ models: new Set(['gpt-4o']) }))
    answering('priority')
    const body = { ...hi, model: 'gpt-4o', max_tokens: 1000, stream }
    await (await ask(body)).text()
    expect((await ask(body)).status).toBe(403)
  })
})
