import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { Redis } from 'ioredis'

/** A Redis server of a test's own, empty, keeping nothing. */
export interface TestRedis {
  readonly url: string
  start(): Promise<void>
  stop(): Promise<void>
}

const binary = (): string | undefined => {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' })
    return 'redis-server'
  } catch {
    return undefined
  }
}

/** Whether tests can start a Redis here; where CI runs they must, and the fast tests do not. */
export const redisHere = process.env.TEST_FAST !== '1' && (binary() !== undefined || process.env.CI === 'true')

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

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
  }
}
