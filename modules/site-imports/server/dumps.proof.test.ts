import { existsSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { openDatabase } from '#server/db/engines/open.ts'
import { verifyLedger } from '#server/ledger/verify/verify.ts'
import type { RightsSite } from '#server-test/rights/site.ts'
import { servers } from '#server-test/support/db/places.ts'
import { completion, json, openTestUpstream, type TestUpstream } from '#server-test/support/gateway/upstream.ts'
import { newMovedSite, randomName, sqliteFile } from '../tests/moved-site.ts'

/** Databases that the three products made, with what must come out of them. */
const folder = new URL('../../../../shared/data/import/', import.meta.url)
const isThere = existsSync(folder)
const title = (name: string): string => `${name}${isThere ? '' : ' (skipped: ../shared/data/import is absent)'}`
const fileOf = (name: string): string => readFileSync(new URL(name, folder), 'utf8')

const panelUser = z.object({
  username: z.string(),
  plain_password: z.string(),
  quota: z.number(),
  used_quota: z.number(),
  request_count: z.number(),
  role: z.number(),
  status: z.number(),
  group: z.string(),
  aff_quota: z.number().default(0),
  inviter_id: z.number().nullish(),
  deleted: z.boolean().optional(),
})
const panelToken = z.object({
  user: z.string(),
  name: z.string(),
  plain_key: z.string(),
  status: z.number(),
  expired_time: z.number(),
  remain_quota: z.number(),
  used_quota: z.number(),
  unlimited_quota: z.boolean(),
  model_limits: z.string().optional(),
  model_limits_enabled: z.boolean().optional(),
  models: z.string().nullish(),
  allow_ips: z.string().optional(),
  subnet: z.string().nullish(),
  deleted_at: z.string().nullish(),
})
const panel = z.object({
  users: z.array(panelUser),
  tokens: z.array(panelToken),
  sums: z.object({
    users_quota_all: z.number(),
    users_used_quota: z.number(),
    tokens_remain_quota_limited_only: z.number(),
    tokens_used_quota: z.number(),
    aff_quota: z.number(),
  }),
  logs: z.object({ consumption_count: z.number(), consumption_quota: z.number() }),
})

let upstream: TestUpstream

beforeAll(async () => {
  upstream = await openTestUpstream()
  upstream.answer = json(completion('hello'))
})
afterAll(() => upstream.close())

const signIn = async (site: RightsSite, username: string, password: string): Promise<boolean> => {
  const { json: answer } = await site.ask({ method: 'POST', path: '/api/user/login', body: { username, password } })
  return answer.success === true
}

const call = async (site: RightsSite, key: string, model: string): Promise<number> => {
  const { status } = await site.ask({
    method: 'POST',
    path: '/v1/chat/completions',
    headers: { authorization: `Bearer ${key}` },
    body: { model, messages: [{ role: 'user', content: 'hi' }] },
  })
  return status
}

/** Every channel of OpenAI's kind calls the test's upstream. */
const redirect = async (url: string, dataDir: RightsSite['database']): Promise<void> => {
  await dataDir.query.updateTable('channels').set({ base_url: url }).where('type', '=', 1).execute()
}

const isOver = (user: z.output<typeof panelUser>): boolean =>
  user.deleted === true || user.status !== 1 || user.username.startsWith('deleted_')

describe.each(['new-api', 'one-api'] as const)('a database of %s', (product) => {
  const name = product === 'new-api' ? 'new-api-2026-08' : 'one-api-2025-02'

  it.skipIf(!isThere)(title('moves with every balance, password and key, once'), { timeout: 240_000 }, async () => {
    const expected = panel.parse(JSON.parse(fileOf(`${name}.expected.json`)))
    const from = await sqliteFile(fileOf(`${name}.sql`))
    const target = await newMovedSite()

    const dry = await target.import(product, '--from', from, '--dry-run')
    expect(dry.report.counts.find(({ kind }) => kind === 'user')).toMatchObject({ carried: expected.users.length })

    const first = await target.import(product, '--from', from, '--logs')
    expect(first.code).toBe(0)
    for (const { found, carried, left } of first.report.counts) expect(carried + left).toBe(found)
    const after = Object.fromEntries(first.report.sums.map((sum) => [sum.name, sum.after]))
    expect(after).toMatchObject({
      user_quota: expected.sums.users_quota_all,
      user_used: expected.sums.users_used_quota,
      aff_quota: expected.sums.aff_quota,
      token_remain: expected.sums.tokens_remain_quota_limited_only,
      token_used: expected.sums.tokens_used_quota,
    })

    const again = await target.import(product, '--from', from, '--logs')
    expect(again.report.counts.map(({ carried }) => carried)).toEqual(again.report.counts.map(() => 0))
    expect(again.report.sums).toEqual(first.report.sums)

    const site = await target.open()
    onTestFinished(() => site.close())
    const users = await site.database.query.selectFrom('users').selectAll().execute()
    expect(users).toHaveLength(expected.users.length)
    for (const user of expected.users) {
      const row = users.find(({ username }) => username === user.username)
      expect(row, user.username).toMatchObject({
        quota: user.quota,
        used_quota: user.used_quota,
        request_count: user.request_count,
        role: user.role,
        group: user.group,
        aff_quota: user.aff_quota,
      })
    }
    const inviter = new Map(users.map(({ id, username }) => [id, username]))
    expect(users.filter(({ inviter_id }) => inviter_id !== 0).map((row) => inviter.get(row.inviter_id))).toEqual(
      expected.users.flatMap((user) => (user.inviter_id ? (expected.users[user.inviter_id - 1]?.username ?? []) : [])),
    )
    const logged = await sql<{
      n: number
      q: number
    }>`select count(*) as n, sum(quota) as q from logs where type = 2`.execute(site.database.query)
    expect(logged.rows[0]).toMatchObject({ n: expected.logs.consumption_count, q: expected.logs.consumption_quota })
    expect((await verifyLedger(site.database, {})).differences).toEqual([])

    for (const user of expected.users) {
      const may = !isOver(user)
      expect(await signIn(site, user.username, `${user.plain_password}x`), user.username).toBe(false)
      expect(await signIn(site, user.username, user.plain_password), user.username).toBe(may)
      // The second time with a hash of our own.
      if (may) expect(await signIn(site, user.username, user.plain_password), user.username).toBe(true)
    }
    const hashes = await site.database.query.selectFrom('users').select(['username', 'password']).execute()
    for (const user of expected.users.filter((each) => !isOver(each))) {
      expect(hashes.find(({ username }) => username === user.username)?.password).toMatch(/^\$argon2id\$/)
    }
  })

  it.skipIf(!isThere)(title('leaves every key working that worked, and no other'), { timeout: 240_000 }, async () => {
    const expected = panel.parse(JSON.parse(fileOf(`${name}.expected.json`)))
    const target = await newMovedSite()
    await target.import(product, '--from', await sqliteFile(fileOf(`${name}.sql`)))
    const before = await target.open()
    await redirect(upstream.url, before.database)
    await before.close()
    const site = await target.open()
    onTestFinished(() => site.close())
    const now = Date.now() / 1000
    for (const token of expected.tokens) {
      const user = expected.users.find(({ username }) => username === token.user)
      const works =
        user !== undefined &&
        !isOver(user) &&
        user.quota > 0 &&
        token.status === 1 &&
        !token.deleted_at &&
        (token.expired_time === -1 || token.expired_time > now) &&
        (token.unlimited_quota || token.remain_quota > 0) &&
        !token.allow_ips &&
        !token.subnet
      const limits = token.model_limits_enabled ? token.model_limits : token.models
      const model = limits ? (limits.split(',')[0] ?? '') : 'gpt-4o'
      const status = await call(site, token.plain_key, model)
      expect(status === 200, `${token.name}: ${status}`).toBe(works)
    }
    const { differences } = await verifyLedger(site.database, {})
    expect(differences).toEqual([])
  })
})

const litellm = z.object({
  salt_key: z.string(),
  users: z.array(
    z.object({ user_id: z.string(), email: z.string().nullable(), plain_password: z.string().nullable() }),
  ),
  keys: z.array(
    z.object({
      plain_key: z.string(),
      alias: z.string().nullable(),
      user_id: z.string().nullable(),
      models: z.array(z.string()),
      blocked: z.boolean().optional(),
      expires: z.string().optional(),
      max_budget: z.number().nullish(),
      spend: z.number(),
      metadata: z.object({ allowed_ips: z.array(z.string()).optional() }).optional(),
      team_id: z.string().nullable(),
    }),
  ),
  models: z.array(z.unknown()),
})

const isPostgresThere = await openDatabase({ engine: 'postgres', url: servers.postgres.url, pool: 1 }).then(
  (database) => database.close().then(() => true),
  () => false,
)

/** The dump in a schema of its own. */
const loadLitellm = async (): Promise<string> => {
  const schema = randomName()
  const client = new pg.Client({ connectionString: servers.postgres.url })
  await client.connect()
  const text = fileOf('litellm-2026-11.sql')
    .split('\n')
    .filter((line) => !line.startsWith('\\'))
    .join('\n')
  await client.query(`create schema ${schema}`)
  await client.query(text.replaceAll('public.', `${schema}.`))
  await client.end()
  onTestFinished(async () => {
    const closing = new pg.Client({ connectionString: servers.postgres.url })
    await closing.connect()
    await closing.query(`drop schema ${schema} cascade`)
    await closing.end()
  })
  const url = new URL(servers.postgres.url)
  // As LiteLLM's own address names it.
  url.searchParams.set('schema', schema)
  return url.href
}

describe('a database of LiteLLM', () => {
  it.skipIf(!isThere || !isPostgresThere)(
    title('moves with passwords, keys that are known by their hash, and models'),
    { timeout: 240_000 },
    async () => {
      const expected = litellm.parse(JSON.parse(fileOf('litellm-2026-11.expected.json')))
      const from = await loadLitellm()
      const target = await newMovedSite({ LITELLM_SALT_KEY: expected.salt_key })
      const first = await target.import('litellm', '--from', from, '--logs')
      expect(first.code).toBe(0)
      expect(first.report.counts).toContainEqual({
        kind: 'channel',
        found: expected.models.length,
        carried: expected.models.length,
        known: 0,
        left: 0,
      })
      // A team without an organisation is one of its own; keys of an organisation without a team have a team "General".
      const carried = new Map(first.report.counts.map((count) => [count.kind, count.carried]))
      for (const [kind, count] of [
        ...Object.entries({ organisation: 2, team: 4, project: 4, virtual_model: 2, log: 300 }),
      ])
        expect(carried.get(kind as 'team'), kind).toBe(count)
      expect(first.report.sums.find(({ name }) => name === 'wallet_used')).toMatchObject({ before: 204_709 })
      const again = await target.import('litellm', '--from', from, '--logs')
      expect(again.report.counts.map(({ carried }) => carried)).toEqual(again.report.counts.map(() => 0))

      const before = await target.open()
      await redirect(upstream.url, before.database)
      await before.database.query.deleteFrom('channels').where('type', '<>', 1).where('models', '=', 'gpt-4o').execute()
      await before.close()
      const site = await target.open()
      onTestFinished(() => site.close())
      for (const { user_id: id, email, plain_password: password } of expected.users) {
        if (password === null || email === null) continue
        expect(await signIn(site, email, `${password}x`), id).toBe(false)
        expect(await signIn(site, email, password), id).toBe(true)
        expect(await signIn(site, id, password), id).toBe(true)
      }
      for (const key of expected.keys) {
        const works =
          key.blocked !== true &&
          (key.expires === undefined || key.expires > '2026-11-24') &&
          (key.max_budget === null || key.max_budget === undefined || key.max_budget > key.spend) &&
          key.metadata?.allowed_ips === undefined &&
          // The last one may call no model with a key of its own.
          !['u-dave', 'u-over', 'u-sso'].includes(key.user_id ?? '')
        for (const turn of ['by its hash', 'like every other']) {
          const status = await call(site, key.plain_key, 'gpt-4o')
          expect(status === 200, `${key.alias} ${turn}: ${status}`).toBe(works)
        }
      }
      const stored = await site.database.query.selectFrom('tokens').select(['key_hash', 'name']).execute()
      expect(stored.find(({ name }) => name === 'alice-personal')?.key_hash).not.toMatch(/^sha256:/)
      expect((await verifyLedger(site.database, {})).differences).toEqual([])
    },
  )
})
