import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { Redis } from 'ioredis'
import { freePort } from './free-port.ts'

/** A Redis server of a test's own, empty, keeping nothing. */
export interface TestRedis {
  readonly url: string
  start(): Promise<void>
  /** Ends it at once; it forgets everything. */
  stop(): Promise<void>
  /** It answers nobody and forgets nothing, as behind a broken network. */
  pause(): void
  goOn(): void
}

const binary = (): string | undefined => {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' })
    return 'redis-server'
  } catch {
    return undefined
  }
}

/** True if tests can start a Redis here; CI must have one, and the fast tests do without. */
export const redisHere = process.env.TEST_FAST !== '1' && (binary() !== undefined || process.env.CI === 'true')

const answering = async (url: string): Promise<void> => {
  const client = new Redis(url, { retryStrategy: () => 50, maxRetriesPerRequest: 200 })
  client.on('error', () => {})
  await client.ping()
  client.disconnect()
}

export const testRedis = async (): Promise<TestRedis> => {
  const port = await freePort()
  const url = `redis://127.0.0.1:${port}`
  let running: ChildProcess | undefined
  return {
    url,
    async start() {
      const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', tmpdir()]
      running = spawn('redis-server', settings, { stdio: 'ignore' })
      await answering(url)
    },
    async stop() {
      if (running === undefined) return
      const gone = once(running, 'exit')
      running.kill('SIGKILL')
      await gone
      running = undefined
    },
    pause() {
      running?.kill('SIGSTOP')
    },
    goOn() {
      running?.kill('SIGCONT')
    },
  }
}
