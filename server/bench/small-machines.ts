import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { limitMemory, type MemoryLimit } from '../../e2e/support/memory-limit.ts'
import { drive } from './load.ts'
import { openSite } from './operator.ts'

interface Work {
  readonly plain: string
  readonly streamed: string
  readonly seconds: number
}

const mebibyte = 1024 * 1024
/** MiB, by `BENCH_LIMITS`; 0 for what the machine has. */
const limits = (process.env.BENCH_LIMITS ?? '256,512,0').split(',').map(Number)
const starts = 3
/** Until the process has looked twice whether it is idle. */
const idleMs = 32_000
const password = 'bench-password'
const program = join(import.meta.dirname, '../dist/start.js')

interface Started {
  readonly child: ChildProcess
  readonly ms: number
}

const isUp = async (port: number): Promise<boolean> => {
  try {
    return (await fetch(`http://127.0.0.1:${port}/api/status`)).ok
  } catch {
    return false
  }
}

/** As `npx tollgate` does it, with V8's own choice of flags for what the machine or the group has. */
const start = async (port: number, folder: string, limit: MemoryLimit | undefined): Promise<Started> => {
  const command: readonly [string, ...string[]] = [process.execPath, program]
  const [file, ...args] = limit?.wrap(command) ?? command
  const began = performance.now()
  const child = spawn(file, args, {
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: folder,
      INITIAL_ROOT_PASSWORD: password,
      GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  while (!(await isUp(port))) {
    if (child.exitCode !== null) throw new Error(`the gateway stopped at start with code ${child.exitCode}`)
    await sleep(5)
  }
  return { child, ms: performance.now() - began }
}

const stop = async ({ child }: Started): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

/** MB that a process holds. */
const megabytes = ({ child }: Started): number => {
  if (child.exitCode !== null || child.signalCode !== null) return Number.NaN
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid ?? 0}/status`, 'utf8')) ?? []
  return (Number(kilobytes) * 1024) / 1_000_000
}

/** A body of `bytes`, a conversation of long messages. */
const bodyOf = (plain: string, bytes: number): string => {
  const messages = Array.from({ length: 64 }, () => ({ role: 'user', content: 'word '.repeat(bytes / 5 / 64) }))
  return JSON.stringify({ ...(JSON.parse(plain) as object), messages })
}

/** Sends so many at once and tells how often each status came; 0 for a connection that broke. */
const burst = async (port: number, key: string, body: string, count: number): Promise<Record<number, number>> => {
  const statuses = await Promise.all(
    Array.from({ length: count }, async () => {
      try {
        const answer = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
          body,
        })
        await answer.text()
        return answer.status
      } catch {
        return 0
      }
    }),
  )
  return Object.fromEntries(
    [...new Set(statuses)].map((status) => [status, statuses.filter((one) => one === status).length]),
  )
}

const measure = async (upstreamPort: number, { plain, streamed, seconds }: Work, mebibytes: number): Promise<void> => {
  const limit = mebibytes === 0 ? undefined : limitMemory(mebibytes * mebibyte)
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-bench-'))
  const port = 31_970
  const times: number[] = []
  for (let round = 0; round < starts; round += 1) {
    const started = await start(port, folder, limit)
    times.push(started.ms)
    await stop(started)
  }
  const started = await start(port, folder, limit)
  const key = await openSite(port, upstreamPort, password)
  const say = (what: string, value: unknown): void =>
    console.log(`${mebibytes === 0 ? 'no limit' : `${mebibytes} MiB`}`.padEnd(10), what.padEnd(28), value)
  say('start to first answer, ms', [...times, started.ms].map(Math.round).join(' '))
  await sleep(idleMs)
  say('idle, MB', megabytes(started).toFixed(0))
  for (const [name, body] of [
    ['plain', plain],
    ['streams', streamed],
  ] as const) {
    const { answers, failures, seconds: took } = await drive({ port, key, body, concurrency: 32, seconds })
    say(
      `after ${name}, MB`,
      `${megabytes(started).toFixed(0)} (${(answers / took).toFixed(0)} per second, ${failures} failed)`,
    )
  }
  for (const [bytes, count] of [
    [mebibyte, 16],
    [mebibyte, 64],
    [8 * mebibyte, 8],
  ] as const) {
    const statuses = await burst(port, key, bodyOf(plain, bytes), count)
    say(
      `${count} bodies of ${bytes / mebibyte} MiB at once`,
      `${JSON.stringify(statuses)}, ${megabytes(started).toFixed(0)} MB`,
    )
  }
  await sleep(idleMs)
  say('idle again, MB', megabytes(started).toFixed(0))
  await stop(started)
  rmSync(folder, { recursive: true, force: true })
  limit?.remove()
}

/** Measures a process on little memory: its start, its memory idle and after loads, and the effect of large bodies. */
export const benchSmallMachines = async (upstreamPort: number, work: Work): Promise<void> => {
  for (const limit of limits) await measure(upstreamPort, work, limit)
}
