import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FakeUpstream, startFakeUpstream } from '../support/fake-upstream.ts'
import { openForBusiness, signIn } from '../support/operator.ts'
import { type Site, startSite } from '../support/site.ts'
import { startLoad, type Wish } from './load.ts'

/** More of them by hand, before a release: `CRASHES=90`. */
const kills = Number(process.env.CRASHES ?? 6)
const clients = 12
const shortLifeMs = 400
/** A slow stream takes 2.4 s and is marked in the journal after one: these lives end between the two, and not before there is a mark. */
const longLifeMs = { least: 1200, most: 2200 }
const root = join(import.meta.dirname, '../..')

let site: Site
let quick: FakeUpstream
let slow: FakeUpstream

beforeAll(async () => {
  quick = await startFakeUpstream({ delayMs: 15 })
  slow = await startFakeUpstream({ delayMs: 150 })
  site = await startSite()
})
afterAll(async () => {
  await site?.remove()
  await quick?.close()
  await slow?.close()
})

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const between = ({ least, most }: { least: number; most: number }): number => least + Math.random() * (most - least)

/** A third of the clients wait for slow streams, a third take quick ones, a third whole answers. */
const wishOf = (index: number): Wish =>
  index % 3 === 0 ? { model: 'gpt-4o-mini', stream: true } : { model: 'gpt-4o', stream: index % 3 === 1 }

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
  execFileSync(process.execPath, [join(root, 'server/src/ledger/verify/verify-command.ts')], {
    env: { ...process.env, DATA_DIR: site.directory },
    encoding: 'utf8',
  })

it(`bills every answered call exactly once although the server is killed ${kills} times`, async () => {
  const root = await signIn(site.url)
  await root.must('PUT', '/api/user/', { id: root.id, quota: 1_000_000_000 })
  const key = await openForBusiness(root, quick.url, { models: 'gpt-4o' })
  await openForBusiness(root, slow.url, { name: 'slow', models: 'gpt-4o-mini' })
  const refusals: string[] = []
  const wishes = Array.from({ length: clients }, (_, index) => wishOf(index))
  const load = startLoad(site.url, key, wishes, refusals)

  for (let kill = 1; kill <= kills; kill += 1) {
    if (kill % 3 === 0) {
      const before = marks()
      await wait(between(longLifeMs))
      await expect.poll(() => [...marks()].some((line) => !before.has(line))).toBe(true)
    } else await wait(between({ least: 0, most: shortLifeMs }))
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
  const completed = [...load.completed.keys()]
  const interrupted = logs.filter(({ content }) => content === 'interrupted')
  console.log(
    `${completed.length} calls answered, ${load.broken} broken off, ${entries.length} charged, ${interrupted.length} interrupted`,
  )

  expect(refusals).toEqual([])
  expect(completed.length).toBeGreaterThan(kills)
  expect(interrupted.length).toBeGreaterThan(0)
  expect(completed.filter((id) => times.get(id) !== 1)).toEqual([])
  // The same tokens are used each time, so a model's calls all cost the same.
  const prices = new Set(completed.map((id) => `${load.completed.get(id)} ${amounts.get(id)}`))
  expect([...prices].map((price) => price.split(' ')[0]).toSorted()).toEqual(['gpt-4o', 'gpt-4o-mini'])
  const logged = new Set(logs.map(({ request_id }) => request_id))
  expect(completed.filter((id) => !logged.has(id))).toEqual([])
  const charged = new Set(entries.map(({ movement }) => movement))
  expect(interrupted.filter(({ request_id, type }) => type === 2 && !charged.has(request_id))).toEqual([])
  expect(verify()).toContain(' 0 differences')
  expect(leftInJournal()).toEqual([])
}, 900_000)

const leftInJournal = (): string[] => {
  const directory = join(site.directory, 'journal')
  return existsSync(directory) ? readdirSync(directory) : []
}

/** Lines of the journal that say how far streams under way have come. */
const marks = (): ReadonlySet<string> => new Set(leftInJournal().flatMap(marksIn))

/** A file that is gone meanwhile has no marks. */
const marksIn = (file: string): string[] => {
  try {
    const lines = readFileSync(join(site.directory, 'journal', file), 'utf8').split('\n')
    return lines.filter((line) => line.startsWith('{"progress":'))
  } catch {
    return []
  }
}
