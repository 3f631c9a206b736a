import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { describeEachAddress } from '../../test/support/db/databases.ts'
import { freePort } from '../../test/support/lib/free-port.ts'
import type { DatabaseAddress } from '../db/database.ts'
import { openDatabase } from '../db/engines/open.ts'

/** Gateways as processes of their own, with a data folder each. */

const program = join(import.meta.dirname, '../start.ts')

const gatewayOn = async ({ engine, url: place }: DatabaseAddress, name: string) => {
  const directory = await mkdtemp(join(tmpdir(), 'tollgate-neighbour-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let child: ChildProcess | undefined
  const start = async (): Promise<void> => {
    let printed = ''
    const started = spawn(process.execPath, [program], {
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        ...(engine === 'sqlite' ? { SQLITE_PATH: place } : { SQL_DSN: place }),
        INITIAL_ROOT_PASSWORD: 'correct horse battery',
        CRYPTO_SECRET: 'a secret for tests',
        NODE_NAME: name,
        DATA_DIR: directory,
        HOST: '127.0.0.1',
        PORT: String(port),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = started
    for (const stream of [started.stdout, started.stderr])
      stream.on('data', (chunk) => {
        printed += String(chunk)
      })
    const isUp = async (): Promise<boolean> => {
      if (started.exitCode !== null) throw new Error(printed)
      return fetch(`${url}/livez`).then(
        ({ ok }) => ok,
        () => false,
      )
    }
    await expect.poll(isUp, { timeout: 120_000 }).toBe(true)
  }
  const kill = async (): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  onTestFinished(async () => {
    await kill()
    await rm(directory, { recursive: true, force: true })
  })
  return { name, start, kill, isReady: async () => (await fetch(`${url}/readyz`)).ok }
}

describeEachAddress('two gateways of one database that share nothing', (place) => {
  it('never both serve when they begin in one moment, and the other takes over from one that was killed', async () => {
    const address = await place()
    await (await openDatabase(address)).close()
    const gateways = [await gatewayOn(address, 'a'), await gatewayOn(address, 'b')]
    await Promise.all(gateways.map(({ start }) => start()))
    const readiness = () => Promise.all(gateways.map(({ isReady }) => isReady()))
    const first = await readiness()
    expect(first.toSorted()).toEqual([false, true])
    const [serving, waiting] = first[0] ? gateways : gateways.toReversed()
    await serving?.kill()
    // Its last sign goes stale by the clock of the database.
    await expect.poll(() => waiting?.isReady(), { timeout: 60_000, interval: 500 }).toBe(true)
    await serving?.start()
    expect([await waiting?.isReady(), await serving?.isReady()]).toEqual([true, false])
  }, 400_000)
})
