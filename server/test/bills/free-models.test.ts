import { describe, expect, it } from 'vitest'
import { priceOf } from '../support/billing/price.ts'
import { openSession, openTestRealtime, responseCreated, responseDone } from '../support/gateway/realtime.ts'
import {
  ask,
  channel,
  gateway,
  hi,
  hiStream,
  lastRecord,
  reopenGateway,
  until,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import { usage } from '../support/gateway/sessions.ts'
import { chunk, completion, done, json, stream, usageChunk } from '../support/gateway/upstream.ts'
import { openTestHolds, testOptions, testPrices } from '../support/relay/ports.ts'

useScene()

const free = testPrices(priceOf('gpt-4o', { modelRatio: { 'gpt-4o': 0 } }))
const settings = { ...testOptions, freeWithoutBalance: true }

describe('a user without a balance', () => {
  it.each([0, -50])('of %i calls a free model where the operator says so', async (balance) => {
    await reopenGateway({ settings, holds: openTestHolds(balance), prices: free })
    upstream.answer = json(completion('hello'))
    expect((await ask(hi)).status).toBe(200)
    upstream.answer = stream(chunk('hello'), usageChunk(20, 5), done)
    expect(await (await ask(hiStream)).text()).toContain('hello')
    upstream.answer = json(completion('hello'))
    const long = { ...hi, messages: [{ role: 'user', content: 'x'.repeat(100_000) }] }
    expect((await ask(long)).status).toBe(200)
    expect(gateway.parts.recorder.records.map(({ kind, quota }) => [kind, quota])).toEqual([
      ['charge', 0],
      ['charge', 0],
      ['charge', 0],
    ])
  })

  it.each([0, -50])('of %i has free tasks', async (balance) => {
    const prices = testPrices(priceOf('suno_music', { modelPrice: { suno_music: 0 } }))
    await reopenGateway({ settings, holds: openTestHolds(balance), prices })
    useChannels(channel({ type: 36 }))
    upstream.answer = json({ code: 'success', message: '', data: 'song-1' })
    const song = { gpt_description_prompt: 'rain', make_instrumental: false }
    expect((await ask(JSON.stringify(song), '/suno/submit/music')).status).toBe(200)
    expect(lastRecord()).toMatchObject({ kind: 'charge', quota: 0 })
  })

  it.each([0, -50])('of %i has free sessions', async (balance) => {
    const sessions = await openTestRealtime()
    try {
      await reopenGateway({ settings, holds: openTestHolds(balance), prices: free })
      useChannels(channel({ baseUrl: sessions.url }))
      const client = await openSession(gateway.url)
      await client.next('session.created')
      sessions.sessions.at(-1)?.say(responseCreated('1'), responseDone(usage, '1'), responseCreated('2'))
      await until(() => client.events.length === 4)
      client.socket.close(1000)
      await until(() => lastRecord() !== undefined)
      expect(lastRecord()).toMatchObject({ kind: 'charge', quota: 0 })
    } finally {
      await sessions.close()
    }
  })

  it('has no session that costs anything', async () => {
    const sessions = await openTestRealtime()
    try {
      await reopenGateway({ settings, holds: openTestHolds(0), prices: testPrices() })
      useChannels(channel({ baseUrl: sessions.url }))
      await expect(openSession(gateway.url)).rejects.toThrow()
      expect(sessions.sessions).toHaveLength(0)
    } finally {
      await sessions.close()
    }
  })

  it('calls no model that costs anything', async () => {
    await reopenGateway({ settings, holds: openTestHolds(0), prices: testPrices() })
    upstream.answer = json(completion('hello'))
    expect((await ask(hi)).status).toBe(403)
    expect(upstream.received).toHaveLength(0)
  })

  it('calls no free model where nobody says so', async () => {
    await reopenGateway({ holds: openTestHolds(0), prices: free })
    upstream.answer = json(completion('hello'))
    expect((await ask(hi)).status).toBe(403)
    expect(lastRecord()).toMatchObject({ quota: 0 })
  })
})
