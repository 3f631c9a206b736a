import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { openTestRealtime, type TestRealtime } from '../../../server/test/support/gateway/realtime.ts'
import { limitMemoryHere } from '../../support/memory-limit.ts'
import { addChannel, addCustomer, addKey, openForBusiness, signIn } from '../../support/operator.ts'
import {
  type Answer,
  chunk,
  completion,
  json,
  type ScriptedUpstream,
  startScriptedUpstream,
  stream,
  usageChunk,
} from '../../support/scripted-upstream.ts'
import { type Site, startSite } from '../../support/site.ts'
import type { Attacker } from './attacker.ts'
import { wrongEnds } from './ends.ts'

/**
 * One user makes a gateway with 256 MB, in a real control group, keep as much as it takes, in each way that there is. The process
 * must live, and the calls of another user must all be answered meanwhile. Skipped where no such group can be made.
 */

const mebibyte = 1024 * 1024
const limitBytes = 256 * mebibyte

const limit = limitMemoryHere(limitBytes)

let site: Site
let upstream: ScriptedUpstream
let speaking: TestRealtime
let attacker: string
let other: string
let poor: string

/** Bytes that the system cannot take back from the process. */
const anonymousBytes = (): number => {
  const [, kilobytes] = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${site.process.pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}

const call = async (key: string): Promise<number> => {
  const response = await fetch(`${site.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] }),
  })
  await response.arrayBuffer()
  return response.status
}

const counted = (values: readonly number[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}

const attacks = [
  '64 sockets with 14 frames of 1 MB each and no last one',
  'the same at Gemini Live',
  'the same at OpenAI Realtime',
  '64 sockets of OpenAI Realtime with 8 MB of sound each',
  '6 sockets with 4 whole messages of 6 MB each',
  '64 sockets with 8 whole messages of 1 MB each',
  '64 sockets with 20,000 frames of 1 byte each and no last one',
  '100 bodies of 1 MB in gzip',
  '100 bodies of 60 MB in brotli',
  '100 bodies of 60 MB in deflate',
  '100 bodies of 60 MB in zstd',
  '16 bodies of 1 MB at once',
  '64 bodies of 1 MB at once',
  '100 bodies of 2 MB of chance',
  '1,500 bodies of 60 kB at once',
  '400 uploads of 60 kB and 200 of 1 MB that do not end',
  '64 answers of 4 MB at once',
  '64 answers of 4 MB in another dialect',
  '24 answers of 4 MB that are read late',
  '64 streams of 1 MB that are read late',
  '200 bodies of 1 MB for the console',
]

/** A question that is a number is answered with so many bytes, at once or in events of 16 kB. */
const answerAsAsked: Answer = (call) => {
  const { stream: streamed, messages } = JSON.parse(call.raw)
  const [{ content }] = messages
  const bytes = Number(content)
  if (Number.isNaN(bytes)) return json(completion())(call)
  if (streamed !== true) return json(completion({ content: 'x'.repeat(bytes) }))(call)
  const events = Array.from({ length: bytes / 16_384 }, () => chunk({ content: 'x'.repeat(16_384) }))
  return stream(...events, usageChunk(20, 50))(call)
}

describe.skipIf(limit === undefined)('in 256 MB', () => {
  beforeAll(async () => {
    if (limit === undefined) return
    upstream = await startScriptedUpstream()
    upstream.answer = answerAsAsked
    // The first start builds what is stale, which takes more memory than that.
    await (await startSite()).remove()
    site = await startSite({ UNFINISHED_REQUESTS_PER_ADDRESS: '0' }, undefined, limit.wrap)
    const operator = await signIn(site.url)
    await openForBusiness(operator, upstream.url)
    speaking = await openTestRealtime()
    await addChannel(operator, speaking.url, { name: 'speaking', models: 'gpt-realtime' })
    attacker = await addKey(await addCustomer(site.url, operator, 'attacker', 1_000_000_000))
    other = await addKey(await addCustomer(site.url, operator, 'other', 1_000_000_000))
    poor = await addKey(await addCustomer(site.url, operator, 'poor', 0))
  })
  afterAll(async () => {
    await site?.remove()
    await upstream?.close()
    await speaking?.close()
    limit?.remove()
  })

  it.each([
    '/v1/responses',
    '/v1/realtime?model=gpt-realtime',
    '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent',
  ])('a key without money gets no socket at %s', async (path) => {
    const socket = new WebSocket(site.url.replace('http', 'ws') + path, {
      headers: { authorization: `Bearer ${poor}` },
    })
    const [, answer] = await once(socket, 'unexpected-response')
    expect(answer.statusCode).toBe(403)
  })

  it.each(attacks)('%s leave the process alive, and others served', async (attack) => {
    const attacking = new Worker(new URL('./attacker.ts', import.meta.url), {
      workerData: { url: site.url, key: attacker, attack } satisfies Attacker,
    })
    let answers: readonly number[] | undefined
    const over = once(attacking, 'message').then(([message]) => {
      answers = message
    })
    let peak = 0
    const others: number[] = []
    const waits: number[] = []
    while (answers === undefined) {
      const from = performance.now()
      const called = call(other).then((status) => others.push(status))
      await Promise.race([called, over])
      await called
      waits.push(performance.now() - from)
      peak = Math.max(peak, anonymousBytes())
    }
    await attacking.terminate()
    const longest = Math.round(Math.max(...waits))
    const megabytes = Math.round(peak / mebibyte)
    console.log(
      `${attack}: ${megabytes} MB, ${JSON.stringify(counted(answers))}, ${others.length} others, ${longest} ms`,
    )
    expect(site.process.exitCode ?? site.process.signalCode).toBe(null)
    expect(counted(others)).toEqual({ 200: others.length })
    expect(wrongEnds(answers)).toEqual([])
    expect(peak).toBeLessThan(limitBytes)
    expect(limit?.killed).toBe(0)
  })
})
