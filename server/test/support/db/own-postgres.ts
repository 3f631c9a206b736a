import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../lib/free-port.ts'

/** A PostgreSQL of its own for a proof that stops and kills it. */
export interface OwnPostgres {
  readonly url: string
  start(): Promise<void>
  /** As when the machine's power goes: all of its processes end at once, and the next start recovers. */
  crash(): Promise<void>
  /** Ends it and removes its files. */
  remove(): Promise<void>
}

interface Account {
  readonly uid: number
  readonly gid: number
}

/** PostgreSQL refuses to run as root: it runs as the account that its package made. */
const accountFor = (): Account | undefined => {
  if (process.getuid?.() !== 0) return undefined
  const numberOf = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: numberOf('-u'), gid: numberOf('-g') }
}

/** Makes a cluster of databases in a folder of its own. `initdb` and `pg_ctl` must be on the path. Not started yet. */
export const ownPostgres = async (): Promise<OwnPostgres> => {
  const account = accountFor()
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-postgres-'))
  if (account !== undefined) chownSync(folder, account.uid, account.gid)
  const data = join(folder, 'data')
  const port = await freePort()
  const run = async (command: string, args: readonly string[]): Promise<void> => {
    const child = spawn(command, args, { ...account, cwd: folder, stdio: 'ignore' })
    const [code] = (await once(child, 'exit')) as [number | null]
    if (code !== 0) throw new Error(`${command} ended with ${code}`)
  }
  await run('initdb', ['-D', data, '-U', 'tollgate', '--auth=trust', '-E', 'UTF8', '--no-locale'])
  writeFileSync(
    join(data, 'postgresql.auto.conf'),
    `port = ${port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = '${folder}'\nmax_connections = 100\n`,
  )
  const control = (...args: readonly string[]): Promise<void> =>
    run('pg_ctl', [...args, '-w', '-t', '60', '-D', data, '-l', join(folder, 'log')])
  let isRunning = false
  const crash = async (): Promise<void> => {
    if (isRunning) await control('stop', '-m', 'immediate')
    isRunning = false
  }
  return {
    url: `postgres://tollgate@127.0.0.1:${port}/postgres`,
    async start() {
      await control('start')
      isRunning = true
    },
    crash,
    async remove() {
      await crash()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
