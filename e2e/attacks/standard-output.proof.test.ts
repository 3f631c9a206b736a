import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { freePort } from '../../server/test/support/lib/free-port.ts'

/** The server goes on when what it prints to is lost. */

const ends: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

// Runs in every thread of the server: each prints to both streams all the time, from its first moment on.
const chatter = `data:text/javascript,${encodeURIComponent(
  `setInterval(() => { process.stdout.write('x\\n'); process.stderr.write('y\\n') }, 5).unref()`,
)}`

type Output = 'pipe' | 'ignore' | number

const startServer = async (parts: {
  stdout: Output
  stderr: Output
  flags?: readonly string[]
}): Promise<{ child: ChildProcess; url: string }> => {
  const { stdout, stderr, flags = [] } = parts
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-e2e-'))
  ends.push(() => rmSync(directory, { recursive: true, force: true }))
  const port = await freePort()
  const child = spawn(process.execPath, [...flags, join(import.meta.dirname, '../../scripts/start.ts')], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
      DATA_DIR: directory,
      HOST: '127.0.0.1',
      PORT: String(port),
    },
    stdio: ['ignore', stdout, stderr],
  })
  ends.push(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  return { child, url: `http://127.0.0.1:${port}` }
}

const answers = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(`${url}/api/status`)).ok
  } catch {
    return false
  }
}

const isUp = async ({ child, url }: { child: ChildProcess; url: string }): Promise<void> => {
  while (!(await answers(url))) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('the server ended')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Each answer leaves a line in the log. */
const goesOn = async (server: { child: ChildProcess; url: string }): Promise<void> => {
  for (let call = 0; call < 50; call += 1) expect(await answers(server.url)).toBe(true)
  expect(server.child.exitCode).toBeNull()
  server.child.kill('SIGTERM')
  expect(await once(server.child, 'exit')).toEqual([0, null])
}

describe('a server goes on answering and stops in order', () => {
  it.each(['stdout', 'stderr'] as const)('after the reader of its %s has gone', async (name) => {
    const server = await startServer({ stdout: 'pipe', stderr: 'pipe', flags: ['--import', chatter] })
    server.child.stdout?.resume()
    server.child.stderr?.resume()
    await isUp(server)
    server.child[name]?.destroy()
    await goesOn(server)
  })

  it('when no process ever reads its output', async () => {
    const server = await startServer({ stdout: 'pipe', stderr: 'pipe' })
    server.child.stdout?.destroy()
    server.child.stderr?.destroy()
    await isUp(server)
    await goesOn(server)
  })

  it('on a full disk', async () => {
    const full = openSync('/dev/full', 'w')
    const server = await startServer({ stdout: full, stderr: full })
    closeSync(full)
    await isUp(server)
    await goesOn(server)
  })
})
