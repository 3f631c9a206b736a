import { execFileSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FakeUpstream, startFakeUpstream } from './support/fake-upstream.ts'
import { openForBusiness, signIn } from './support/operator.ts'
import { type Site, startSite } from './support/site.ts'

/** A backup is written while calls are under way, everything is destroyed, and the copy serves and agrees with itself. */

const root = join(import.meta.dirname, '..')

let site: Site
let upstream: FakeUpstream
let backups: string

const run = (script: string, ...args: string[]): string =>
  execFileSync(process.execPath, [join(root, script), ...args], {
    env: { ...process.env, DATA_DIR: site.directory, SQL_DSN: '', LOG_SQL_DSN: '' },
    encoding: 'utf8',
  })

const call = async (key: string): Promise<number> => {
  const response = await fetch(`${site.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o', stream: true, messages: [{ role: 'user', content: 'Hi' }] }),
  })
  await response.text()
  return response.status
}

beforeAll(async () => {
  upstream = await startFakeUpstream()
  site = await startSite({ EGRESS_ALLOW: '127.0.0.1' })
  backups = join(site.directory, 'backups')
})
afterAll(async () => {
  await site?.remove()
  await upstream?.close()
})

it('brings back a site that was destroyed after a backup under load', async () => {
  const operator = await signIn(site.url)
  const key = await openForBusiness(operator, upstream.url)
  expect(await call(key)).toBe(200)
  const load = Promise.all(Array.from({ length: 40 }, () => call(key)))
  const said = run('scripts/tollgate/tollgate.ts', 'backup', '--to', backups)
  expect(await load).toEqual(Array(40).fill(200))
  const [name = ''] = readdirSync(backups)
  expect(said).toContain(name)

  await site.kill()
  for (const file of readdirSync(site.directory))
    if (file !== 'secret.key' && file !== 'backups') rmSync(join(site.directory, file), { recursive: true })
  expect(run('scripts/tollgate/tollgate.ts', 'restore', join(backups, name))).toMatch(/^\d+ rows of \d+ tables/)
  expect(run('server/src/ledger/verify/verify-command.ts')).toContain(': 0 differences.')

  await site.restart()
  expect(await call(key)).toBe(200)
  expect((await signIn(site.url)).id).toBe(operator.id)
  await site.stop()
  expect(run('server/src/ledger/verify/verify-command.ts')).toContain(': 0 differences.')
})
