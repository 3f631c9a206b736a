import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drive, percentile } from './load.ts'
import { openSite } from './operator.ts'
import { startGatewayOn } from './processes.ts'

const rate = 300
const seconds = 10
const port = 31_997
const yearSeconds = 365 * 86_400
const password = 'bench-password'
const chat = JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'Say the word fifty times.' }] })

interface TimedCall {
  readonly path: string
  readonly ms: number
}

/** Signs in and reads the paths one after the other, again and again, until `isOver`. */
const browse = async (paths: readonly string[], isOver: () => boolean): Promise<TimedCall[]> => {
  const base = `http://127.0.0.1:${port}`
  const login = await fetch(`${base}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'root', password }),
  })
  const { data } = (await login.json()) as { data: { id: number } }
  const headers = { cookie: login.headers.getSetCookie()[0]?.split(';')[0] ?? '', 'new-api-user': String(data.id) }
  const calls: TimedCall[] = []
  for (let next = 0; !isOver(); next += 1) {
    const path = paths[next % paths.length] ?? ''
    const began = performance.now()
    const answer = await fetch(base + path, { headers })
    for await (const _chunk of answer.body ?? []) if (isOver()) break
    if (!answer.ok) throw new Error(`GET ${path}: ${answer.status}`)
    calls.push({ path, ms: performance.now() - began })
  }
  return calls
}

const pagesOf = (now: number): readonly string[] => [
  '/api/log/?page_size=100',
  '/api/log/stat',
  '/api/log/?group=rare',
  '/api/log/?model_name=model-3&channel=7&type=5',
  '/api/log/?sort=-quota',
  `/api/dashboard?start_timestamp=${now - yearSeconds}&end_timestamp=${now}&by=user`,
]
const exports = ['/api/log/export']

const relayBeside = async (key: string, name: string): Promise<void> => {
  const { latencies, answers, failures } = await drive({
    port,
    key,
    body: chat,
    concurrency: 32,
    seconds,
    rate,
  })
  const cells = [0.5, 0.99, 0.999].map((share) => percentile(latencies, share).toFixed(2).padStart(10)).join('')
  console.log(`${name.padEnd(34)}${cells}${String(answers).padStart(10)}${String(failures).padStart(10)}`)
}

/** The same while a reader loads paths of the console. */
const relayBesideReader = async (key: string, name: string, paths: readonly string[]): Promise<TimedCall[]> => {
  let over = false
  const browsing = browse(paths, () => over)
  await relayBeside(key, name)
  over = true
  return browsing
}

const printCalls = (calls: readonly TimedCall[]): void => {
  console.log(`\n${calls.length} console calls meanwhile: median, longest in ms`)
  for (const [path, ofPath] of Map.groupBy(calls, (call) => call.path)) {
    const times = ofPath.map(({ ms }) => ms).toSorted((left, right) => left - right)
    const cells = [percentile(times, 0.5), times.at(-1) ?? 0].map((ms) => ms.toFixed(1).padStart(10)).join('')
    console.log(`${path.replace(/\d{9,}/g, '…').padEnd(78)}${cells}`)
  }
}

/** The relay's latency with and without a reader of the log, in one gateway on the same database. */
export const printRelay = async (upstreamPort: number, url: string): Promise<void> => {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-bench-'))
  const gateway = await startGatewayOn(url, { port, directory, password })
  const key = await openSite(port, upstreamPort, password)
  const pages = pagesOf(Math.floor(Date.now() / 1000))
  console.log(`\nRelay at ${rate} per second: p50, p99, p99.9 in ms, answers, failures`)
  await relayBeside(key, 'warming up')
  await relayBeside(key, 'alone')
  const calls = await relayBesideReader(key, 'beside log and dashboard', pages)
  await relayBesideReader(key, 'beside an export', exports)
  await relayBeside(key, 'alone again')
  printCalls(calls)
  await gateway.stop()
  rmSync(directory, { recursive: true, force: true })
}
