import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drive } from './load.ts'
import { chatModel, openSite } from './operator.ts'
import { startGateway, startScript } from './processes.ts'

const port = 31_940
const password = 'bench-password'
const rounds = Number(process.env.BENCH_ROUNDS ?? 20)
const seconds = Number(process.env.BENCH_SECONDS ?? 2)
const warmUpSeconds = 15
const body = JSON.stringify({ model: chatModel, max_tokens: 60, messages: [{ role: 'user', content: 'hi' }] })

/** Ten limits and two budgets of one key, which nothing reaches. */
const rulesOf = (value: string): readonly object[] => {
  const rule = (change: object) => ({
    name: 'bench',
    amount: 1e12,
    window: 'minute',
    subjects: [{ kind: 'key', value }],
    ...change,
  })
  const withSecond = (kind: string) => ({ subjects: [{ kind: 'key', value }, { kind }] })
  return [
    ...['requests', 'tokens', 'input_tokens', 'output_tokens'].map((measure) => rule({ measure })),
    rule({ measure: 'running', window: 'now' }),
    rule({ measure: 'requests', window: 'day', time_zone: 'Asia/Shanghai' }),
    rule({ measure: 'tokens', window: 'rolling', hours: 5 }),
    rule({ measure: 'requests', ...withSecond('user') }),
    rule({ measure: 'tokens', window: 'hour', ...withSecond('model') }),
    rule({ measure: 'requests', ...withSecond('address') }),
    rule({ measure: 'money', window: 'month', tell_at: [50, 80, 100] }),
    rule({ measure: 'money', window: 'forever', action: 'tell', tell_at: [80] }),
  ]
}

/** Makes a second key with the limits; answers it. */
const limitedKey = async (base: string): Promise<string> => {
  const headers: Record<string, string> = { 'content-type': 'application/json', 'new-api-user': '1' }
  const ask = async (path: string, sent: object): Promise<{ id: number; key: string }> => {
    const answer = await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(sent) })
    const [cookie] = answer.headers.getSetCookie()
    if (cookie !== undefined) headers.cookie = cookie.split(';')[0] ?? ''
    const { success, message, data } = (await answer.json()) as {
      success: boolean
      message: string
      data: { id: number; key: string }
    }
    if (!success) throw new Error(`${path}: ${message}`)
    return data
  }
  await ask('/api/user/login', { username: 'root', password })
  const token = await ask('/api/token/', { name: 'limited', unlimited_quota: true })
  for (const rule of rulesOf(String(token.id))) await ask('/api/limits', rule)
  return `sk-${token.key}`
}

/**
 * Measures the cost of ten limits and two budgets for a whole call: processor time of the gateway for calls of a key with them and of
 * one without, in turn. Takes the least of many rounds, since other work of the machine can only add. `BENCH_ROUNDS` of `BENCH_SECONDS`
 * each.
 */
export const benchLimitedCalls = async (): Promise<void> => {
  const upstream = await startScript('mock-upstream.ts')
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-limits-'))
  const gateway = await startGateway(port, {
    DATA_DIR: directory,
    CRYPTO_SECRET: 'bench',
    INITIAL_ROOT_PASSWORD: password,
    GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
    CRITICAL_RATE_LIMIT_ENABLE: 'false',
  })
  const keys = { none: await openSite(port, upstream.port, password), limited: '' }
  keys.limited = await limitedKey(`http://127.0.0.1:${port}`)
  const load = { port, body, concurrency: 16 }
  for (const key of Object.values(keys)) await drive({ ...load, key, seconds: warmUpSeconds })
  const costs = { none: new Map<string, number[]>(), limited: new Map<string, number[]>() }
  for (let round = 0; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? (['none', 'limited'] as const) : (['limited', 'none'] as const)) {
      const before = await gateway.read()
      const { answers, failures } = await drive({ ...load, key: keys[name], seconds })
      const after = await gateway.read()
      if (failures > 0) throw new Error(`${failures} calls failed`)
      for (const what of ['main', 'cpu'] as const) {
        const all = costs[name].get(what) ?? []
        costs[name].set(what, [...all, (after[what] - before[what]) / answers])
      }
    }
  }
  console.log('\nWhole calls, microseconds of processor time: least, median')
  for (const [what, label] of [
    ['main', 'main thread'],
    ['cpu', 'all threads, which write counts and the journal'],
  ] as const) {
    for (const name of ['none', 'limited'] as const) {
      const sorted = (costs[name].get(what) ?? []).toSorted((one, other) => one - other)
      console.log(`  ${label}, ${name}: ${sorted[0]?.toFixed(1)}, ${sorted[sorted.length >>> 1]?.toFixed(1)}`)
    }
  }
  await gateway.stop()
  await upstream.stop()
  rmSync(directory, { recursive: true, force: true })
}
