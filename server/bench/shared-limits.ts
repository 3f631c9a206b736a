import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSite } from './operator.ts'
import { startGateway, startScript } from './processes.ts'

/**
 * How exactly nodes share limits: so many nodes on one database and one Redis, 64 clients, and a limit that all calls together
 * reach, while Redis is left alone, paused, killed and started empty, or emptied.
 *
 * SHARED_SQL_DSN names an empty database, SHARED_NODES how many nodes there are, SHARED_CALLS how many calls a limit lets through;
 * `redis-server` must be there. SHARED_KINDS and
 * SHARED_TROUBLES are parts of the names of what is measured; everything without them: 40 runs of 20 to 100 s, an hour or less. A run
 * ends when nothing was let through for a while, so that a slow machine does not look like a limit that lets too little through.
 */
const dsn = process.env.SHARED_SQL_DSN
if (dsn === undefined) throw new Error('SHARED_SQL_DSN names no database')
const nodes = Number(process.env.SHARED_NODES ?? 4)
const clients = 64
/** Part of the name of what happens to Redis; all of it without one. */
const chosen = process.env.SHARED_TROUBLES ?? ''
const firstPort = 31_950
const redisPort = firstPort - 1
const password = 'bench-password'
const tokensPerCall = 70

const startRedis = (): ChildProcess =>
  spawn('redis-server', ['--port', String(redisPort), '--bind', '127.0.0.1', '--save', '', '--dir', tmpdir()], {
    stdio: 'ignore',
  })

interface Trouble {
  readonly name: string
  run(): Promise<void>
}

let redis = startRedis()
const troubles: readonly Trouble[] = [
  { name: 'Redis is left alone', run: async () => {} },
  {
    name: 'Redis is paused for 3 s',
    async run() {
      redis.kill('SIGSTOP')
      await sleep(3000)
      redis.kill('SIGCONT')
    },
  },
  {
    name: 'Redis is killed, and comes back empty after 2 s',
    async run() {
      redis.kill('SIGKILL')
      await sleep(2000)
      redis = startRedis()
    },
  },
  {
    name: 'Redis is emptied',
    async run() {
      await sleep(1000)
      await command('FLUSHALL')
    },
  },
]

/** One command to Redis, by its own protocol. */
const command = async (text: string): Promise<void> => {
  const socket = connect(redisPort, '127.0.0.1')
  socket.write(`${text}\r\n`)
  await once(socket, 'data')
  socket.destroy()
}

/** Calls of one run, fewer for a busy machine; under way at a time, where those are limited. */
const mostCalls = Number(process.env.SHARED_CALLS ?? 3000)
const mostRunning = 16
/** Quota units: 20 + 50 × 4 tokens at a ratio of 1.25. */
const moneyPerCall = 275

interface Kind {
  readonly measure: 'requests' | 'tokens' | 'money' | 'running'
  readonly window: 'minute' | 'hour' | 'rolling' | 'now'
  readonly amount: number
  readonly perCall: number
}

const kinds = [
  ...(['minute', 'hour', 'rolling'] as const).flatMap((window): readonly Kind[] => [
    { measure: 'requests', window, amount: mostCalls, perCall: 1 },
    { measure: 'tokens', window, amount: mostCalls * tokensPerCall, perCall: tokensPerCall },
    { measure: 'money', window, amount: mostCalls * moneyPerCall, perCall: moneyPerCall },
  ]),
  { measure: 'running', window: 'now', amount: mostRunning, perCall: 1 } satisfies Kind,
].filter(({ measure, window }) => `${measure} ${window}`.includes(process.env.SHARED_KINDS ?? ''))

const upstream = await startScript('mock-upstream.ts')
const directories = Array.from({ length: nodes }, () => mkdtempSync(join(tmpdir(), 'tollgate-shared-')))
const ports = directories.map((_, index) => firstPort + index)
const gateways: Awaited<ReturnType<typeof startGateway>>[] = []
for (const [index, directory] of directories.entries()) {
  gateways.push(
    await startGateway(firstPort + index, {
      DATA_DIR: directory,
      SQL_DSN: dsn,
      REDIS_CONN_STRING: `redis://127.0.0.1:${redisPort}`,
      CRYPTO_SECRET: 'secret of a bench',
      SESSION_SECRET: 'secret of a bench',
      NODE_NAME: `node-${index}`,
      INITIAL_ROOT_PASSWORD: password,
      GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
    }),
  )
}
const key = await openSite(firstPort, upstream.port, password)
const base = `http://127.0.0.1:${firstPort}`
const signedIn = await fetch(`${base}/api/user/login`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ username: 'root', password }),
})
const headers = {
  'content-type': 'application/json',
  cookie: signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '',
  'new-api-user': '1',
}

const makeLimit = async ({ measure, window, amount }: Kind): Promise<number> => {
  const body = { name: measure, measure, amount, window, hours: 1, subjects: [{ kind: 'key' }] }
  const answer = await fetch(`${base}/api/limits`, { method: 'POST', headers, body: JSON.stringify(body) })
  const { data } = (await answer.json()) as { data: { id: number } }
  return data.id
}

const question = JSON.stringify({
  model: 'gpt-4o',
  max_tokens: 60,
  messages: [{ role: 'user', content: 'hi' }],
  metadata: { pace: 'held' },
})

/** Milliseconds of a run of calls under way. */
const runMs = 20_000
/** Milliseconds without a call that was let through after which a limit is used up: longer than nothing is given away after any trouble. */
const quietMs = 8000
/** The longest run, and the time within a minute or an hour that it needs. */
const longestMs = 50_000
const neededMs = longestMs + 5000

/** Waits where the window would begin anew in the middle of a run. */
const waitForWindow = async (window: Kind['window']): Promise<void> => {
  const length = window === 'minute' ? 60_000 : window === 'hour' ? 3_600_000 : undefined
  if (length === undefined) return
  const left = length - (Date.now() % length)
  if (left < neededMs) await sleep(left + 100)
}

/** The most calls that the upstream has had under way at a time since this was asked last. */
const mostHeld = async (): Promise<number> =>
  Number(await (await fetch(`http://127.0.0.1:${upstream.port}/most-held`)).text())

/**
 * Calls until the limit is used up, or the time is over: how many were let through, were refused, and failed otherwise; the longest wait;
 * and whether all of it was wanted.
 */
const drive = async ({ window }: Kind) => {
  const counts = { through: 0, refused: 0, failed: 0, slowest: 0 }
  const failures = new Map<string, number>()
  const until = Date.now() + (window === 'now' ? runMs : longestMs)
  let last = Date.now()
  const isUsedUp = (): boolean => window !== 'now' && Date.now() - last > quietMs
  const client = async (index: number): Promise<void> => {
    // Half of the clients call the first node.
    const port = ports[index % 2 === 0 ? 0 : index % ports.length] ?? firstPort
    while (Date.now() < until && !isUsedUp()) {
      const began = Date.now()
      const answer = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
        method: 'POST',
        body: question,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      })
      const text = await answer.text()
      counts.slowest = Math.max(counts.slowest, Date.now() - began)
      if (answer.status === 200) {
        counts.through += 1
        last = Date.now()
      } else if (answer.status === 429) {
        counts.refused += 1
        await sleep(100)
      } else {
        counts.failed += 1
        const why = `${answer.status} ${/"code":"(\w+)"/.exec(text)?.[1] ?? text.slice(0, 80)}`
        failures.set(why, (failures.get(why) ?? 0) + 1)
      }
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, index) => client(index)))
  return {
    ...counts,
    isWhole: window === 'now' || isUsedUp(),
    atOnce: await mostHeld(),
    failures: [...failures].map(([why, count]) => `${count} × ${why}`).join(', '),
  }
}

console.log(`${nodes} nodes, ${clients} clients`)
for (const kind of kinds) {
  const { measure, window, amount, perCall } = kind
  for (const { name, run } of troubles.filter(({ name }) => name.includes(chosen))) {
    await waitForWindow(window)
    const id = await makeLimit(kind)
    await sleep(1000)
    await mostHeld()
    const driven = drive(kind)
    await sleep(1500)
    await run()
    const { through, atOnce, refused, failed, slowest, isWhole, failures } = await driven
    const used = measure === 'running' ? atOnce : through * perCall
    const share = ((used * 100) / amount).toFixed(2)
    console.log(
      `${measure} ${window}, ${name}: ${share} % let through (${measure === 'running' ? `${atOnce} at once, ${through}` : through}), ${refused} refused, ${failed} failed, slowest ${slowest} ms${failures && `: ${failures}`}${isWhole ? '' : ', MORE WAS LEFT when the time was over'}`,
    )
    await fetch(`${base}/api/limits/${id}`, { method: 'DELETE', headers })
  }
}
for (const gateway of gateways) await gateway.stop()
await upstream.stop()
redis.kill('SIGKILL')
for (const directory of directories) rmSync(directory, { recursive: true, force: true })
