import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../server/test/support/lib/free-port.ts'

const root = join(import.meta.dirname, '../..')

let isBuilt = false

/**
 * The first site of a process is started as `npm start` does it, which builds what is stale; the others as that goes on, without a
 * look at every source: a fifth of a start. Another version has no console that is built, and needs none.
 */
const startOf = (program: string): string => {
  if (program !== root) return join(program, 'server/src/start.ts')
  return join(root, isBuilt ? 'server/dist/start.js' : 'scripts/start.ts')
}

export const rootPassword = 'correct-horse-battery'

export interface Site {
  readonly url: string
  readonly directory: string
  /** Everything the server has printed. */
  readonly output: () => string
  readonly process: ChildProcess
  /** Ends the server politely. */
  stop(): Promise<void>
  /** `kill -9`. */
  kill(): Promise<void>
  /** Starts it again on the same data and port, from another folder of the program where one is named. */
  restart(program?: string): Promise<void>
  /** Stops it and removes its data. */
  remove(): Promise<void>
}

const answers = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(`${url}/api/status`)).ok
  } catch {
    return false
  }
}

/**
 * Starts the built product on a fresh data directory and waits until it answers. `program` is the folder
 * of another version; `wrap` makes the command that is run of the usual one.
 */
export const startSite = async (
  environment: Record<string, string> = {},
  program = root,
  wrap: (command: readonly [string, ...string[]]) => readonly [string, ...string[]] = (command) => command,
): Promise<Site> => {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-e2e-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let printed = ''
  let child: ChildProcess

  const start = async (folder = root): Promise<void> => {
    const [file, ...args] = wrap([process.execPath, startOf(folder)])
    child = spawn(file, args, {
      cwd: folder,
      env: {
        ...process.env,
        NODE_ENV: 'production',
        INITIAL_ROOT_PASSWORD: rootPassword,
        GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
        ...environment,
        DATA_DIR: directory,
        HOST: '127.0.0.1',
        PORT: String(port),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const keep = (chunk: Buffer): void => {
      printed += chunk.toString()
    }
    child.stdout?.on('data', keep)
    child.stderr?.on('data', keep)
    while (!(await answers(url))) {
      if (child.exitCode !== null) throw new Error(`the server stopped at start:\n${printed}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    isBuilt ||= folder === root
  }

  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    await once(child, 'exit')
  }

  await start(program)
  return {
    url,
    directory,
    output: () => printed,
    get process() {
      return child
    },
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    restart: start,
    remove: async () => {
      await end('SIGTERM')
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
