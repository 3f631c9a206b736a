import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { childrenOf } from '../../e2e/support/child-processes.ts'
import { memorySettings } from '../src/lib/memory/memory-settings.ts'

const here = import.meta.dirname

/** As `npm start` does, and for the floor too. */
const { flags: heapFlags, environment: memoryVariables } = memorySettings(totalmem())

/** V8 keeps what it compiled by its flags. */
const probeFlags = ['--expose-gc', '--import', join(here, 'probe.ts')]

/** Folder of V8's compile cache, the same as for `npm start`. */
const compileCache = join(here, '../../node_modules/.cache/compile')

export interface Reading {
  /** Microseconds of CPU, all threads. */
  readonly cpu: number
  /** The same of the main thread; without children. */
  readonly main: number
  /** Bytes. */
  readonly rss: number
}

export interface Measured {
  readonly port: number
  /** With `memory`, after a garbage collection. */
  readonly read: (what?: 'memory') => Promise<Reading>
  readonly stop: () => Promise<void>
}

const stop = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

const microsecondsPerTick = 10_000
const bytesPerPage = 4096

/** Processor time and memory of a process's children, from Linux's `/proc`; zeros elsewhere. */
const readChildren = ({ pid = 0 }: ChildProcess): Omit<Reading, 'main'> => {
  const readings = childrenOf(pid).map((child) => {
    const fields = readFileSync(`/proc/${child}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    const ticks = Number(fields[11]) + Number(fields[12])
    return { cpu: ticks * microsecondsPerTick, rss: Number(fields[21]) * bytesPerPage }
  })
  return readings.reduce((sum, { cpu, rss }) => ({ cpu: sum.cpu + cpu, rss: sum.rss + rss }), { cpu: 0, rss: 0 })
}

const measured = (child: ChildProcess, port: number): Measured => ({
  port,
  read: async (what) => {
    child.send(what === 'memory' ? 'probe-memory' : 'probe')
    const [own] = (await once(child, 'message')) as [Reading]
    const workers = readChildren(child)
    return { cpu: own.cpu + workers.cpu, main: own.main, rss: own.rss + workers.rss }
  },
  stop: () => stop(child),
})

/** Starts a script of this folder that sends `{ port }` once it listens. */
export const startScript = async (name: string, environment: Record<string, string> = {}): Promise<Measured> => {
  const child = fork(join(here, name), {
    env: { ...process.env, ...memoryVariables, ...environment },
    execArgv: [...heapFlags, ...probeFlags],
  })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return measured(child, port)
}

const answers = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(url)).ok
  } catch {
    return false
  }
}

/**
 * Fills the compile cache as an earlier start of the same program does; the bench would otherwise measure the compilers after each
 * change.
 */
const compileOnce = (): void => {
  const app = join(here, '../src/app/app.ts')
  const load = `await import(${JSON.stringify(app)})`
  execFileSync(process.execPath, [...probeFlags, '--input-type=module', '-e', load], {
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
  })
}

/** Starts a program that serves the gateway on `port` and waits until it answers; also tells how long that took (ms). */
export const startProgram = async (
  program: string,
  port: number,
  environment: Record<string, string>,
): Promise<{ process: Measured; startMs: number }> => {
  const began = performance.now()
  const child = fork(program, {
    env: { ...process.env, ...memoryVariables, NODE_COMPILE_CACHE: compileCache, ...environment, PORT: String(port) },
    execArgv: [...heapFlags, ...probeFlags],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  while (!(await answers(`http://127.0.0.1:${port}/api/status`))) {
    if (child.exitCode !== null) throw new Error(`the gateway stopped at start with code ${child.exitCode}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return { process: measured(child, port), startMs: performance.now() - began }
}

/** Starts the real server from its sources, after the compilers have seen them. */
export const startGateway = async (
  port: number,
  environment: Record<string, string>,
): Promise<Measured & { startMs: number }> => {
  compileOnce()
  const { process: started, startMs } = await startProgram(join(here, '../src/main.ts'), port, environment)
  return { ...started, startMs }
}

/** Starts the real server on the database at `url`, a DSN or the path of a SQLite file, without limits on the console's calls. */
export const startGatewayOn = (
  url: string,
  { port, directory, password }: { readonly port: number; readonly directory: string; readonly password: string },
): Promise<Measured> =>
  startGateway(port, {
    ...(/^(postgres|mysql)/.test(url) ? { SQL_DSN: url } : { SQLITE_PATH: url }),
    DATA_DIR: directory,
    CRYPTO_SECRET: 'bench',
    INITIAL_ROOT_PASSWORD: password,
    GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
    CRITICAL_RATE_LIMIT_ENABLE: 'false',
  })
