import { once } from 'node:events'
import { request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addCustomer, addKey, openForBusiness, signIn } from '../support/operator.ts'
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts'
import { type Site, startSite } from '../support/site.ts'

/**
 * Bodies that cost much time by their number of parts. While several clients send them for a while, another client calls; the
 * longest that it waited is printed, because how long that is depends on the machine. What must hold on every machine: each
 * such body is refused as such, every other call is answered, and a SIGTERM in the middle of it all ends the process in order.
 */

const attackMs = 8_000
const attackers = 4

let site: Site
let upstream: ScriptedUpstream
let key: string
let poorKey: string

beforeAll(async () => {
  upstream = await startScriptedUpstream()
  site = await startSite()
  const operator = await signIn(site.url)
  await operator.must('PUT', '/api/user/', { id: operator.id, quota: 1_000_000_000 })
  key = await openForBusiness(operator, upstream.url)
  poorKey = await addKey(await addCustomer(site.url, operator, 'poor', 0))
})
afterAll(async () => {
  await site?.remove()
  await upstream?.close()
})

interface Answer {
  readonly status: number
  readonly text: string
}

/** undefined when the connection broke. */
const send = (body: Buffer, apiKey: string, headers: Record<string, string> = {}): Promise<Answer | undefined> =>
  new Promise((resolve) => {
    const call = request(
      `${site.url}/v1/chat/completions`,
      {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-length': String(body.length), ...headers },
      },
      (response) => {
        let text = ''
        response.on('data', (chunk) => {
          text += chunk
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
        response.on('error', () => resolve(undefined))
      },
    )
    call.on('error', () => resolve(undefined))
    call.end(body)
  })

const bytes = (body: unknown): Buffer => Buffer.from(JSON.stringify(body))
const many = <T>(count: number, value: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => value(at))
const message = { role: 'user', content: 'h' }
const call = { model: 'gpt-4o', messages: [message] }

const attacks: readonly { readonly name: string; readonly body: Buffer; readonly headers?: Record<string, string> }[] =
  [
    { name: 'a million messages', body: bytes({ ...call, messages: many(1_000_000, () => message) }) },
    { name: 'a million keys', body: bytes({ ...call, ...Object.fromEntries(many(1_000_000, (at) => [`k${at}`, 1])) }) },
    {
      name: 'a million parts',
      body: bytes({ ...call, messages: [{ role: 'user', content: many(1_000_000, () => ({})) }] }),
    },
    { name: 'many tools', body: bytes({ ...call, tools: many(200_000, () => ({ type: 'function', function: {} })) }) },
    { name: 'deep nesting', body: Buffer.from(`{"a":${'['.repeat(5_000_000)}`) },
    {
      name: 'a million messages, compressed',
      body: gzipSync(bytes({ ...call, messages: many(1_000_000, () => message) })),
      headers: { 'content-encoding': 'gzip' },
    },
  ]

it.each(attacks)(
  'refuses $name with an error text, and without reading the body if no account pays',
  async ({ body, headers }) => {
    const refused = await send(body, key, headers)
    expect(refused?.status).toBe(400)
    expect(refused?.text).toContain('body_too_complex')
    const poor = await send(body, poorKey, headers)
    expect(poor?.status).toBe(403)
    expect(poor?.text).toContain('insufficient_user_quota')
  },
)

it('passes on the large body of an agent', async () => {
  const messages = many(4000, (at) => ({
    role: at % 2 === 0 ? 'user' : 'assistant',
    content: 'A long turn. '.repeat(80),
  }))
  expect((await send(bytes({ ...call, messages }), key))?.status).toBe(200)
})

it(`answers others while it is attacked for ${attackMs / 1000} s, and then ends in order`, async () => {
  const statuses = new Set<number | undefined>()
  let isOver = false
  const attacking = many(attackers, async (first) => {
    for (let at = first; !isOver; at += 1) {
      const attack = attacks[at % attacks.length]
      if (attack !== undefined)
        statuses.add((await send(attack.body, at % 3 === 0 ? poorKey : key, attack.headers))?.status)
    }
  })
  const waits: number[] = []
  const until = performance.now() + attackMs
  while (performance.now() < until) {
    const started = performance.now()
    expect((await send(bytes(call), key))?.status).toBe(200)
    waits.push(performance.now() - started)
  }
  expect([...statuses].filter((status) => status !== 400 && status !== 403)).toEqual([])
  const stopped = performance.now()
  const exit = once(site.process, 'exit')
  site.process.kill('SIGTERM')
  const [code] = await exit
  isOver = true
  await Promise.all(attacking)
  expect(code).toBe(0)
  const longest = Math.round(Math.max(...waits))
  const middle = Math.round(waits.sort((left, right) => left - right)[waits.length >> 1] ?? 0)
  console.log(`calls during the attack: ${waits.length}, median ${middle} ms, longest ${longest} ms`)
  console.log(`SIGTERM during the attack took ${Math.round(performance.now() - stopped)} ms`)
})
