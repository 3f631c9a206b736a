import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSharedDatabase } from '../../e2e/support/shared-database.ts'
import { openDatabase } from '../src/db/engines/open.ts'
import { percentile } from './load.ts'
import { chatModel } from './operator.ts'
import { startGateway } from './processes.ts'

/**
 * Measures the benefit of hedging: two channels, of which the first answers 5 in 100 streams after `slowMs` instead of `usualMs`. The
 * same calls run without and with hedging, over real sockets, through the real server: `node server/bench/hedging.ts`, with
 * `BENCH_CALLS` streams each. `BENCH_NODES=2` sends them to two nodes in turns, on one PostgreSQL and the Redis that `BENCH_REDIS`
 * names, which must have no other users. Fails unless every call has exactly one charge.
 */
const calls = Number(process.env.BENCH_CALLS ?? 1500)
const nodeCount = Number(process.env.BENCH_NODES ?? 1)
const firstPort = Number(process.env.BENCH_PORT ?? 38_471)
const concurrency = 8
const usualMs = 40
const slowMs = 1500
const everySlow = 20
const password = 'bench-password'

const event = (more: object): string =>
  `data: ${JSON.stringify({ id: 'bench', object: 'chat.completion.chunk', created: 1, model: chatModel, ...more })}\n\n`
const word = event({ choices: [{ index: 0, delta: { content: 'word ' }, finish_reason: null }] })
const ending = [
  event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
  event({ choices: [], usage: { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 } }),
  'data: [DONE]\n\n',
].join('')

/** How many calls each channel got, and how many of them were cut off before they were answered. */
const asked = { first: 0, second: 0, cut: 0 }

const answer = (response: ServerResponse, ms: number): void => {
  const timer = setTimeout(() => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(word)
    setTimeout(() => response.end(word.repeat(4) + ending), 5)
  }, ms)
  response.on('close', () => {
    clearTimeout(timer)
    if (!response.headersSent) asked.cut += 1
  })
}

const upstream = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    if (request.url?.startsWith('/second')) {
      asked.second += 1
      answer(response, usualMs)
      return
    }
    asked.first += 1
    answer(response, asked.first % everySlow === 0 ? slowMs : usualMs)
  })
})
await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
const { port: upstreamPort } = upstream.address() as AddressInfo

const directory = mkdtempSync(join(tmpdir(), 'tollgate-hedging-'))
const redis = process.env.BENCH_REDIS
if (nodeCount > 1 && redis === undefined) throw new Error('BENCH_REDIS names no Redis for the nodes')
/** Database shared by several nodes; undefined for one node on SQLite. */
const shared = redis === undefined ? undefined : await createSharedDatabase('tollgate_hedging')
const gateways: Awaited<ReturnType<typeof startGateway>>[] = []
// One after the other: the first one makes the tables.
for (let node = 0; node < nodeCount; node += 1) {
  const sharing = shared && {
    SQL_DSN: shared.url,
    CRYPTO_SECRET: 'shared by all',
    NODE_NAME: `node-${node}`,
    ...(redis === undefined ? {} : { REDIS_CONN_STRING: redis }),
  }
  gateways.push(
    await startGateway(firstPort + node, {
      DATA_DIR: join(directory, `node-${node}`),
      INITIAL_ROOT_PASSWORD: password,
      GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
      ...sharing,
    }),
  )
}
const bases = gateways.map(({ port }) => `http://127.0.0.1:${port}`)
const [base = ''] = bases
const headers: Record<string, string> = { 'content-type': 'application/json' }

const manage = async <T>(method: string, path: string, body?: object): Promise<T> => {
  const response = await fetch(base + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
  const cookie = response.headers.getSetCookie()[0]
  if (cookie) headers.cookie = cookie.split(';')[0] ?? ''
  const { success, message, data } = (await response.json()) as { success: boolean; message: string; data: T }
  if (!success) throw new Error(`${method} ${path}: ${message}`)
  return data
}

const user = await manage<{ id: number }>('POST', '/api/user/login', { username: 'root', password })
headers['new-api-user'] = String(user.id)
await manage('PUT', '/api/user/', { id: user.id, quota_delta: 1_000_000_000_000, reason: 'bench' })
for (const [name, priority] of [
  ['first', 1],
  ['second', 0],
] as const) {
  const base_url = `http://127.0.0.1:${upstreamPort}/${name}`
  const channel = { type: 1, name, key: 'sk-upstream', base_url, models: chatModel, group: 'default', priority }
  await manage('POST', '/api/channel/', channel)
}
const token = await manage<{ key: string }>('POST', '/api/token/', { name: 'bench', unlimited_quota: true })

const body = JSON.stringify({
  model: chatModel,
  stream: true,
  messages: [{ role: 'user', content: 'Five words, please.' }],
})

/** Milliseconds to the first content of one stream, which is then read to its end. */
const streamOnce = async (node: number): Promise<number> => {
  const began = performance.now()
  const response = await fetch(`${bases[node % bases.length]}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${token.key}`, 'content-type': 'application/json' },
    body,
  })
  let first = 0
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    if (first === 0) first = performance.now() - began
    text += decoder.decode(chunk, { stream: true })
  }
  const words = text.split('"content":"word "').length - 1
  if (response.status !== 200 || words !== 5 || !text.endsWith('data: [DONE]\n\n'))
    throw new Error(`a wrong answer: ${text}`)
  return first
}

const round = async (count: number): Promise<readonly number[]> => {
  const times: number[] = []
  let left = count
  const caller = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      times.push(await streamOnce(left))
    }
  }
  await Promise.all(Array.from({ length: concurrency }, caller))
  return times.sort((a, b) => a - b)
}

const figures = (times: readonly number[]): string =>
  [0.5, 0.95, 0.99].map((share) => Math.round(percentile(times, share))).join(', ')

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

// The other node knows the channels and the key by then.
if (nodeCount > 1) await pause(2000)
const warmUp = 200 * nodeCount
await round(warmUp)
const without = await round(calls)
const before = { ...asked }
await manage('PUT', '/api/option/', { key: 'HedgedGroups', value: 'default' })
await manage('PUT', '/api/option/', { key: 'HedgingCostPerHour', value: '0' })
await manage('PUT', '/api/option/', { key: 'HedgingCostPerDay', value: '0' })
if (nodeCount > 1) await pause(2000)
const hedged = await round(calls)
const during = { second: asked.second - before.second, cut: asked.cut - before.cut }

const { sums } = await (async () => {
  await pause(3000 * nodeCount)
  return manage<{ sums: { count: number; won: number; cost: number }[] }>('GET', '/api/route/hedging')
})()
for (const gateway of gateways) await gateway.stop()
upstream.closeAllConnections()
upstream.close()

const database = await openDatabase(
  shared === undefined
    ? { engine: 'sqlite', url: join(directory, 'node-0', 'tollgate.db') }
    : { engine: 'postgres', url: shared.url },
)
const all = warmUp + 2 * calls
const charged = await database.query
  .selectFrom('ledger_entries')
  .select('amount')
  .where('reason', '=', 'charge')
  .execute()
const charges = charged.length
const paid = new Set(charged.map(({ amount }) => amount)).size
const logs = (await database.query.selectFrom('logs').select('id').where('type', '=', 2).execute()).length
const askedTwice = await database.query
  .selectFrom('logs')
  .select('other')
  .where('other', 'like', '%"hedge":{"after%')
  .execute()
await database.close()
await shared?.drop()
rmSync(directory, { recursive: true, force: true })

const lost = sums.reduce((sum, { count: each }) => sum + each, 0)
const fallen = 1 - percentile(hedged, 0.99) / percentile(without, 0.99)
console.log(`nodes ${nodeCount}, calls ${all}, charges ${charges}, log rows ${logs}, different prices ${paid}`)
console.log(`second channels asked ${during.second}, streams cut off ${during.cut}, in the account of losers ${lost}`)
console.log(`calls whose log names two channels ${askedTwice.length}: the others were cut off before they were sent`)
console.log(`first content without, ms (p50, p95, p99): ${figures(without)}`)
console.log(`first content hedged, ms (p50, p95, p99): ${figures(hedged)}; p99 down by ${Math.round(fallen * 100)} %`)
if (charges !== all || logs !== all || paid !== 1) throw new Error('a call has not exactly one charge')
// One that was cut off while it was being sent may not have arrived, and is counted all the same.
if (lost < during.second) throw new Error('the account of losers lacks some of them')
if (fallen < 0.4) throw new Error('the p99 of the first content has not fallen by 40 %')
