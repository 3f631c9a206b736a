import { drive } from './load.ts'
import { chatModel } from './operator.ts'
import { startScript } from './processes.ts'
import { rootPassword, startGatewaySide } from './side.ts'

const port = 31_945
const rounds = Number(process.env.BENCH_ROUNDS ?? 12)
const seconds = Number(process.env.BENCH_SECONDS ?? 2)
const warmUpSeconds = 5 * seconds
const messages = [{ role: 'user', content: 'Say the word fifty times, please, and nothing else at all.' }]
const works: readonly (readonly [string, string])[] = [
  ['Plain answers', JSON.stringify({ model: chatModel, messages })],
  [
    'Streams of 50 chunks that report their usage',
    JSON.stringify({ model: chatModel, stream: true, stream_options: { include_usage: true }, messages }),
  ],
]

/** Makes a second key, whose answers say their cost; answers it. */
const tellingKey = async (base: string): Promise<string> => {
  const headers: Record<string, string> = { 'content-type': 'application/json', 'new-api-user': '1' }
  const ask = async (path: string, body: object): Promise<{ key: string }> => {
    const answer = await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) })
    const [cookie] = answer.headers.getSetCookie()
    if (cookie !== undefined) headers.cookie = cookie.split(';')[0] ?? ''
    const { success, message, data } = (await answer.json()) as {
      success: boolean
      message: string
      data: { key: string }
    }
    if (!success) throw new Error(`${path}: ${message}`)
    return data
  }
  await ask('/api/user/login', { username: 'root', password: rootPassword })
  const { key } = await ask('/api/token/', { name: 'telling', unlimited_quota: true, include_cost: true })
  return `sk-${key}`
}

/**
 * Measures the overhead of costs in answers: processor time of one gateway for calls of a key whose answers state their cost and of one
 * whose answers do not, in turn. Takes the least of many rounds, since other work of the machine can only add. `BENCH_ROUNDS` of
 * `BENCH_SECONDS` each.
 */
export const benchAnswerCosts = async (): Promise<void> => {
  const upstream = await startScript('mock-upstream.ts')
  const side = await startGatewaySide(port, upstream.port)
  const keys = [
    ['without', side.key],
    ['with', await tellingKey(`http://127.0.0.1:${port}`)],
  ] as const
  for (const [title, body] of works) {
    const load = { port, body, concurrency: 16 }
    const least = new Map<string, number>()
    for (const [, key] of keys) await drive({ ...load, key, seconds: warmUpSeconds })
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, key] of round % 2 === 0 ? keys : keys.toReversed()) {
        const before = await side.process.read()
        const { answers, failures } = await drive({ ...load, key, seconds })
        const after = await side.process.read()
        if (failures > 0) throw new Error(`${failures} calls failed`)
        least.set(name, Math.min(least.get(name) ?? Number.POSITIVE_INFINITY, (after.cpu - before.cpu) / answers))
      }
    }
    const [without = Number.NaN, withCost = Number.NaN] = [least.get('without'), least.get('with')]
    console.log(`\n${title}, 16 at a time: CPU µs per call, least of ${rounds} rounds`)
    console.log(
      `  without cost ${without.toFixed(1)}, with cost ${withCost.toFixed(1)}: ${(withCost / without).toFixed(2)} ×`,
    )
  }
  await side.process.stop()
  side.remove()
  await upstream.stop()
}
