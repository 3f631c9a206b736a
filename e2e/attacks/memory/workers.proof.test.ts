import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestRealtime, type TestRealtime } from '../../../server/test/support/gateway/realtime.ts'
import { limitMemoryHere } from '../../support/memory-limit.ts'
import { addChannel, addCustomer, addKey, openForBusiness, signIn } from '../../support/operator.ts'
import { completion, json, type ScriptedUpstream, startScriptedUpstream } from '../../support/scripted-upstream.ts'
import { type Site, startSite } from '../../support/site.ts'
import type { Attacker } from './attacker.ts'
import { wrongEnds } from './ends.ts'

/**
 * The same with two workers in a control group of 512 MB: each has its share, so that all of them together stay below the limit, and neither
 * worker ends. Skipped where no such group can be made.
 */

const mebibyte = 1024 * 1024
// One page more than another test's group: groups are named by their size.
const limitBytes = 512 * mebibyte + 4096

const limit = limitMemoryHere(limitBytes)

/** Of a process and those that it has started. */
const anonymousBytes = (pid: number): number => {
  try {
    const [, kilobytes] = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
    return children.reduce((sum, child) => sum + anonymousBytes(Number(child)), Number(kilobytes) * 1024)
  } catch {
    // It has just ended.
    return 0
  }
}

describe.skipIf(limit === undefined)('two workers in 512 MB', () => {
  let site: Site
  let upstream: ScriptedUpstream
  let speaking: TestRealtime
  let attacker: string
  let other: string

  beforeAll(async () => {
    if (limit === undefined) return
    upstream = await startScriptedUpstream()
    upstream.answer = json(completion())
    speaking = await openTestRealtime()
    // The first start builds what is stale, which takes more memory than that.
    await (await startSite()).remove()
    site = await startSite({ WORKERS: '2', UNFINISHED_REQUESTS_PER_ADDRESS: '0' }, undefined, limit.wrap)
    while (site.output().split('Tollgate listens').length < 3) await new Promise((resolve) => setTimeout(resolve, 50))
    const operator = await signIn(site.url)
    await openForBusiness(operator, upstream.url)
    await addChannel(operator, speaking.url, { name: 'speaking', models: 'gpt-realtime' })
    attacker = await addKey(await addCustomer(site.url, operator, 'attacker', 1_000_000_000))
    other = await addKey(await addCustomer(site.url, operator, 'other', 1_000_000_000))
  })
  afterAll(async () => {
    await site?.remove()
    await upstream?.close()
    await speaking?.close()
    limit?.remove()
  })

  /** A connection of its own: either worker may take it. */
  const call = async (): Promise<number> => {
    const response = await fetch(`${site.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${other}`, connection: 'close' },
      body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] }),
    })
    await response.arrayBuffer()
    return response.status
  }

  it.each([
    '64 sockets with 14 frames of 1 MB each and no last one',
    'the same at OpenAI Realtime',
    '64 sockets of OpenAI Realtime with 8 MB of sound each',
    '100 bodies of 60 MB in brotli',
    '100 bodies of 2 MB of chance',
  ])('%s leave both alive, and others served', async (attack) => {
    const attacking = new Worker(new URL('./attacker.ts', import.meta.url), {
      workerData: { url: site.url, key: attacker, attack } satisfies Attacker,
    })
    let answers: readonly number[] | undefined
    const over = once(attacking, 'message').then(([message]) => {
      answers = message
    })
    let peak = 0
    const others: number[] = []
    while (answers === undefined) {
      others.push(await call())
      peak = Math.max(peak, anonymousBytes(site.process.pid ?? 0))
      await Promise.race([over, new Promise(setImmediate)])
    }
    await attacking.terminate()
    console.log(`${attack}: ${Math.round(peak / mebibyte)} MB, ${others.length} others`)
    expect(site.output()).not.toContain('worker_ended')
    expect(others.filter((status) => status !== 200)).toEqual([])
    expect(wrongEnds(answers)).toEqual([])
    expect(peak).toBeLessThan(limitBytes)
    expect(limit?.killed).toBe(0)
  })
})
