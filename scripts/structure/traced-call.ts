import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addChannel, addKey, type Person, signIn } from '../../e2e/support/operator.ts'
import { rootPassword } from '../../e2e/support/site.ts'
import { freePort } from '../../server/test/support/lib/free-port.ts'
import { openTracedUpstream } from './traced-upstream.ts'

/** Entries into functions of server/src and of modules while one plain chat call was answered, in order. */
export type Trace = readonly (readonly [file: string, name: string])[]

const untilReady = async (url: string, child: ChildProcess): Promise<void> => {
  while (child.exitCode === null) {
    const response = await fetch(`${url}/api/status`).catch(() => undefined)
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('the traced server stopped at its start')
}

/** The model of plain calls, which one channel serves. */
const plainModel = 'gpt-4o'
/** A model that two channels serve. */
const sharedModel = 'gpt-4o-mini'

const chat = async (url: string, key: string, model: string): Promise<void> => {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: `{"model": "${model}", "messages": [{"role": "user", "content": "Hello"}]}`,
  })
  if (!response.ok) throw new Error(`the traced call failed: ${await response.text()}`)
  await response.text()
}

/** A server of its own on SQLite whose calls can be traced. */
export interface TracedSite {
  readonly operator: Person
  readonly url: string
  /** Address of the provider that answers in each dialect. */
  readonly upstream: string
  /** The API key that is traced. */
  readonly key: string
  /** Traces a plain chat call so many times, one after the other. */
  trace(times: number): Promise<readonly Trace[]>
  /** Traces the same call of a model that two channels serve. */
  traceShared(times: number): Promise<readonly Trace[]>
  /** Traces another call in the same way. */
  traceCall(call: () => Promise<unknown>, times: number): Promise<readonly Trace[]>
  close(): Promise<void>
}

/** Starts a server and traces calls after others have filled its caches. */
export const openTracedSite = async (root: string): Promise<TracedSite> => {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-structure-'))
  const upstream = await openTracedUpstream()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = fork(join(root, 'server/src/main.ts'), {
    cwd: root,
    execArgv: ['--disable-warning=ExperimentalWarning', '--import', join(root, 'scripts/structure/trace-hooks.mjs')],
    env: {
      ...process.env,
      INITIAL_ROOT_PASSWORD: rootPassword,
      DATA_DIR: directory,
      HOST: '127.0.0.1',
      PORT: String(port),
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const close = async (): Promise<void> => {
    child.kill('SIGTERM')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    upstream.close()
    rmSync(directory, { recursive: true, force: true })
  }
  try {
    await untilReady(url, child)
    const operator = await signIn(url)
    await addChannel(operator, upstream.url)
    await addChannel(operator, upstream.url, { name: 'second', models: sharedModel })
    const key = await addKey(operator)
    const traceOnce = async (call: () => Promise<unknown>): Promise<Trace> => {
      const isReady = once(child, 'message')
      child.send('trace')
      await isReady
      const traced = once(child, 'message') as Promise<[{ trace: Trace }]>
      await call()
      const [{ trace }] = await traced
      return trace
    }
    const traceCall: TracedSite['traceCall'] = async (call, times) => {
      for (let warm = 0; warm < 3; warm += 1) await call()
      const traces: Trace[] = []
      for (let count = 0; count < times; count += 1) traces.push(await traceOnce(call))
      return traces
    }
    return {
      operator,
      url,
      upstream: upstream.url,
      key,
      trace: (times) => traceCall(() => chat(url, key, plainModel), times),
      traceShared: (times) => traceCall(() => chat(url, key, sharedModel), times),
      traceCall,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * The least that one of several traces of the same call did, as one trace: jobs that happen to run at the same time only add. Functions
 * that are not in every trace are left out.
 */
export const commonTrace = (traces: readonly Trace[]): Trace => {
  const idOf = ([file, name]: Trace[number]): string => `${file} ${name}`
  const visited = traces.map((trace) => new Set(trace.map(idOf)))
  const isInAll = (entry: Trace[number]): boolean => visited.every((of) => of.has(idOf(entry)))
  const [shortest = []] = traces.map((trace) => trace.filter(isInAll)).toSorted((a, b) => a.length - b.length)
  return shortest
}

/** Traces one plain call on a server of its own. */
export const traceOneCall = async (root: string): Promise<Trace> => {
  const site = await openTracedSite(root)
  try {
    return commonTrace(await site.trace(3))
  } finally {
    await site.close()
  }
}

export interface TraceFigures {
  readonly files: number
  readonly functions: number
  /** How often the call comes back to a file that it had left. */
  readonly returns: number
}

export const figuresOf = (trace: Trace): TraceFigures => {
  const visited = new Set<string>()
  const functions = new Set<string>()
  let current = ''
  let returns = 0
  for (const [file, name] of trace) {
    functions.add(`${file} ${name}`)
    if (file === current) continue
    if (visited.has(file)) returns += 1
    visited.add(file)
    current = file
  }
  return { files: visited.size, functions: functions.size, returns }
}
