import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '../../server/src/config/config.ts'
import type { Database } from '../../server/src/db/database.ts'
import { openDatabase } from '../../server/src/db/engines/open.ts'
import { verifyLedger } from '../../server/src/ledger/verify/verify.ts'
import { fillBusySite } from './fill.ts'
import { daySeconds, topSpender } from './plan.ts'

const plan = { seed: 7, days: 92, rows: 4000, channels: 10, users: 25, until: Date.UTC(2031, 4, 20, 12) }
const end = plan.until / 1000

const directories: string[] = []
const open: Database[] = []

const filled = async (seed: number, engine: Record<string, string> = {}) => {
  const directory = await mkdtemp(join(tmpdir(), 'tollgate-busy-'))
  directories.push(directory)
  const environment = {
    DATA_DIR: directory,
    CRYPTO_SECRET: 'a secret for tests',
    INITIAL_ROOT_PASSWORD: 'walkwalk1',
    ...engine,
  }
  await fillBusySite(environment, { ...plan, seed })
  const database = await openDatabase(readConfig(environment).database)
  open.push(database)
  return { database, environment }
}

const sumsOf = ({ query }: Database) =>
  query
    .selectFrom('logs')
    .select((eb) => [
      'user_id',
      'channel_id',
      eb.fn.sum<number>('quota').as('quota'),
      eb.fn.countAll<number>().as('calls'),
    ])
    .groupBy(['user_id', 'channel_id'])
    .orderBy('user_id')
    .orderBy('channel_id')
    .execute()

let site: Awaited<ReturnType<typeof filled>>

beforeAll(async () => {
  site = await filled(plan.seed)
})
afterAll(async () => {
  for (const database of open) await database.close()
  for (const directory of directories) await rm(directory, { recursive: true, force: true })
})

it('is the same for the same seed, and another for another', async () => {
  const sums = await sumsOf(site.database)
  expect(sums.reduce((all, { calls }) => all + Number(calls), 0)).toBe(plan.rows)
  expect(await sumsOf((await filled(plan.seed)).database)).toEqual(sums)
  expect(await sumsOf((await filled(plan.seed + 1)).database)).not.toEqual(sums)
})

it('has books that are right', async () => {
  expect((await verifyLedger(site.database, { logDatabase: site.database })).differences).toEqual([])
})

it('spans the days, up to the end', async () => {
  const { first, last } = await site.database.query
    .selectFrom('logs')
    .select((eb) => [eb.fn.min('created_at').as('first'), eb.fn.max('created_at').as('last')])
    .executeTakeFirstOrThrow()
  expect(Number(first)).toBeGreaterThan(end - plan.days * daySeconds - 1)
  expect(Number(first)).toBeLessThan(end - (plan.days - 3) * daySeconds)
  expect(Number(last)).toBeGreaterThan(end - daySeconds)
  expect(Number(last)).toBeLessThanOrEqual(end)
})

it('has one dear call, a channel that fails, a top spender and a change of yesterday', async () => {
  const { query } = site.database
  const [dear, next] = await query
    .selectFrom('logs')
    .select(['quota', 'created_at'])
    .orderBy('quota', 'desc')
    .limit(2)
    .execute()
  expect(dear?.created_at).toBeGreaterThan(end - daySeconds)
  expect(dear?.quota).toBeGreaterThan(2 * (next?.quota ?? 0))
  const ofChannels = await query
    .selectFrom('logs')
    .where('created_at', '>', end - 2 * daySeconds)
    .select((eb) => [
      'channel_id',
      eb.fn.countAll<number>().as('calls'),
      eb.fn.sum<number>(eb.case().when('type', '=', 5).then(1).else(0).end()).as('failures'),
    ])
    .groupBy('channel_id')
    .execute()
  const shares = ofChannels.map(({ calls, failures }) => Number(failures) / Number(calls)).sort((a, b) => b - a)
  expect(shares[0]).toBeGreaterThan(0.35)
  expect(shares[1]).toBeLessThan(0.35)
  const spenders = await query
    .selectFrom('logs')
    .where('created_at', '>', end - 30 * daySeconds)
    .where('quota', '<', dear?.quota ?? 0)
    .select((eb) => ['username', eb.fn.sum<number>('quota').as('quota')])
    .groupBy('username')
    .orderBy('quota', 'desc')
    .execute()
  expect(spenders[0]?.username).toBe(topSpender)
  const changes = await query.selectFrom('audit').select('created_at').where('action', '=', 'channel.update').execute()
  expect(changes).toEqual([{ created_at: end - daySeconds }])
})

it('is written once', async () => {
  await expect(fillBusySite(site.environment, plan)).rejects.toThrow('has users already')
})
