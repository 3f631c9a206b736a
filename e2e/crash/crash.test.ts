import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FakeUpstream, startFakeUpstream } from '../fake-upstream.ts'
import { openForBusiness, signIn } from '../operator.ts'
import { type Site, startSite } from '../site.ts'
import { startLoad } from './load.ts'

const kills = 55
const clients = 12
const longestLifeMs = 400
const root = join(import.meta.dirname, '../..')

let site: Site
let upstream: FakeUpstream

beforeAll(async () => {
  upstream = await startFakeUpstream({ delayMs: 4 })
  site = await startSite()
})
afterAll(async () => {
  await site?.remove()
  await upstream?.close()
})

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Some starts are cut short too, so that what a start replays must survive its own crash. */
const restart = async (): Promise<void> => {
  if (Math.random() < 0.25) {
    const cut = site.restart().catch(() => undefined)
    await wait(Math.random() * 1500)
    await site.kill()
    await site.restart()
    await cut
    return
  }
  await site.restart()
}

const verify = (): string =>
  execFileSync(process.execPath, [join(root, 'server/src/ledger/verify-command.ts')], {
    env: { ...process.env, DATA_DIR: site.directory },
    encoding: 'utf8',
  })

it(`bills every answered call exactly once although the server is killed ${kills} times`, async () => {
  const root = await signIn(site.url)
  await root.must('PUT', '/api/user/', { id: root.id, quota: 1_000_000_000 })
  const key = await openForBusiness(root, upstream.url)
  const refusals: string[] = []
  const load = startLoad(site.url, key, clients, refusals)

  for (let kill = 1; kill <= kills; kill += 1) {
    await wait(Math.random() * longestLifeMs)
    await site.kill()
    await restart()
  }
  await wait(500)
  await load.stop()
  await site.stop()

  const database = new DatabaseSync(join(site.directory, 'tollgate.db'), { readOnly: true })
  const entries = database
    .prepare(`select movement, amount from ledger_entries where account = 'user' and reason = 'charge'`)
    .all()
  const logs = database.prepare('select request_id, type, content from logs where type in (2, 5)').all()
  database.close()

  const times = new Map<unknown, number>()
  for (const { movement } of entries) times.set(movement, (times.get(movement) ?? 0) + 1)
  const amounts = new Map(entries.map(({ movement, amount }) => [movement, amount]))
  console.log(
    `${load.completed.size} calls answered, ${load.broken} broken off, ${entries.length} charged, ` +
      `${logs.filter(({ content }) => content === 'interrupted').length} interrupted`,
  )

  expect(refusals).toEqual([])
  expect(load.completed.size).toBeGreaterThan(kills)
  expect([...load.completed].filter((id) => times.get(id) !== 1)).toEqual([])
  expect(new Set([...load.completed].map((id) => amounts.get(id))).size).toBe(1)
  const logged = new Set(logs.map(({ request_id }) => request_id))
  expect([...load.completed].filter((id) => !logged.has(id))).toEqual([])
  expect(verify()).toContain(' 0 differences')
  expect(leftInJournal()).toEqual([])
}, 600_000)

const leftInJournal = (): string[] => {
  const directory = join(site.directory, 'journal')
  return existsSync(directory) ? readdirSync(directory) : []
}
