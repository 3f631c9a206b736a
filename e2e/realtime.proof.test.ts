import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  openSession,
  openTestRealtime,
  refusedSession,
  responseCreated,
  responseDone,
  type TestRealtime,
} from '../server/test/support/gateway/realtime.ts'
import { type Bench, openBench } from './support/bench.ts'
import { sumOf } from './support/books.ts'
import { addChannel } from './support/operator.ts'

/** Sessions over a WebSocket, through the started product. */

let bench: Bench
let upstream: TestRealtime

const model = 'gpt-4o-realtime-preview'
const usage = {
  total_tokens: 300,
  input_tokens: 200,
  output_tokens: 100,
  input_token_details: { text_tokens: 120, audio_tokens: 80 },
  output_token_details: { text_tokens: 30, audio_tokens: 70 },
}

beforeEach(async () => {
  upstream = await openTestRealtime()
  bench = await openBench({}, null)
  await addChannel(bench.operator, upstream.url, { models: model })
})
afterEach(async () => {
  await bench?.close()
  await upstream?.close()
})

const open = () => openSession(bench.site.url, { query: `?model=${model}`, key: bench.key })
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const newest = async () => {
  for (;;) {
    const entry = await bench.books.newest()
    if (entry !== undefined && entry.model_name === model) return entry
    await wait(50)
  }
}

/** True once the journal has a mark of what the whole response used. */
const isMarked = (): boolean =>
  readdirSync(join(bench.site.directory, 'journal'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8').split('\n'))
    .some((line) => line.startsWith('{"progress":') && line.includes('"audioOutput":70'))

it('has a session, bills it, and shows the receipt', async () => {
  const before = await bench.books.balance(bench.customer.id)
  const client = await open()
  upstream.sessions[0]?.say(responseCreated(), responseDone(usage))
  await client.next('response.done')
  client.socket.close(1000)
  const { quota, other, is_stream: isStream } = await newest()
  expect(isStream).toBe(true)
  expect(other).toMatchObject({ ws: true, end: 'done', audio_input: 80, audio_output: 70, text_input: 120 })
  // 120 + 80 × 8 + 30 × 4 + 70 × 8 × 2, × 2.5
  expect(quota).toBe(5000)
  expect(other.receipt && sumOf(other.receipt)).toBe(quota)
  expect(await bench.books.balance(bench.customer.id)).toBe(before - quota)
  expect(upstream.sessions[0]?.headers.authorization).toBe('Bearer sk-upstream')
})

it('refuses with a status, and takes WebSockets only', async () => {
  const wrong = await refusedSession(bench.site.url, { query: `?model=${model}`, key: 'sk-wrong' })
  expect(wrong).toMatchObject({ status: 401, body: { error: { type: 'new_api_error' } } })
  const bare = await bench.ask({ path: `/v1/realtime?model=${model}`, method: 'GET' })
  expect(bare.status).toBe(426)
})

it('ends sessions when the server is asked to stop, and bills them', async () => {
  const before = await bench.books.balance(bench.customer.id)
  const client = await open()
  upstream.sessions[0]?.say(responseCreated(), responseDone(usage))
  await client.next('response.done')
  await bench.site.stop()
  expect(await client.next('error')).toMatchObject({ error: { code: 'shutting_down' } })
  expect(await client.closed).toMatchObject({ code: 1001 })
  await bench.site.restart()
  expect((await newest()).quota).toBe(5000)
  expect(await bench.books.balance(bench.customer.id)).toBe(before - 5000)
})

it('ends a call over WebRTC that kill -9 left, and bills it up to its last mark', async () => {
  const before = await bench.books.balance(bench.customer.id)
  const placed = await fetch(`${bench.site.url}/v1/realtime/calls?model=${model}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bench.key}`, 'content-type': 'application/sdp' },
    body: 'v=0\r\n',
  })
  expect(placed.status).toBe(201)
  upstream.sessions[0]?.say(responseCreated(), responseDone(usage))
  await expect.poll(isMarked).toBe(true)
  await bench.site.kill()
  expect(upstream.posts.map(({ path }) => path)).toEqual(['/v1/realtime/calls'])
  await bench.site.restart()
  expect(await newest()).toMatchObject({ quota: 5000, content: 'interrupted' })
  expect(await bench.books.balance(bench.customer.id)).toBe(before - 5000)
  while (upstream.posts.length < 2) await wait(50)
  expect(upstream.posts[1]?.path).toBe('/v1/realtime/calls/rtc_1/hangup')
})

it('ends a call over WebRTC that was killed before anything happened in it', async () => {
  upstream.greeting = []
  const headers = { authorization: `Bearer ${bench.key}`, 'content-type': 'application/sdp' }
  const address = `${bench.site.url}/v1/realtime/calls?model=${model}`
  await fetch(address, { method: 'POST', headers, body: 'v=0\r\n' })
  await bench.site.kill()
  await bench.site.restart()
  while (upstream.posts.length < 2) await wait(50)
  expect(upstream.posts[1]?.path).toBe('/v1/realtime/calls/rtc_1/hangup')
})

it('bills what was used once after kill -9', async () => {
  const before = await bench.books.balance(bench.customer.id)
  const client = await open()
  upstream.sessions[0]?.say(responseCreated(), responseDone(usage))
  await client.next('response.done')
  await expect.poll(isMarked).toBe(true)
  await bench.site.kill()
  expect(await client.closed).toMatchObject({ code: 1006 })
  for (let start = 0; start < 2; start += 1) {
    await bench.site.restart()
    const entry = await newest()
    expect(entry).toMatchObject({ quota: 5000, content: 'interrupted' })
    expect(await bench.books.balance(bench.customer.id)).toBe(before - 5000)
    await bench.site.kill()
  }
  await bench.site.restart()
})
