import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { describeEachEngine } from '../../../../test/support/db/databases.ts'
import { type RecordedStatements, recordStatements } from '../../../../test/support/db/rows-read.ts'
import { now, openTestLogs, type TestLogs } from '../../../../test/support/features/logs.ts'
import type { Database } from '../../../db/database.ts'

const day = 86_400
const rows = 30_000
const days = 60
/** Looked through where neither an index nor the sums know a filter. */
const most = { ofTime: 2_000, ofFilter: 500 }
/** A count ends at 10,001 rows; everything else reads less. A statement over the whole log reads `rows`. */
const mostRead = 12_000

/**
 * Values that only the oldest rows have, so that a list that is read from its newest row finds them last, and pairs of frequent
 * values that meet there alone.
 */
const filters: readonly Readonly<Record<string, string>>[] = [
  {},
  { type: '2' },
  { type: '5' },
  { type: '3' },
  { username: 'bob' },
  { username: 'bob', type: '2' },
  { username: 'alicia' },
  { username: 'carol' },
  { token_name: 'rare key' },
  { token_name: 'rare key', type: '2' },
  { model_name: 'rare-model' },
  { model_name: '"rare-model"' },
  { model_name: 'rare%' },
  { model_name: 'nothing' },
  { model_name: 'model' },
  { model_name: 'spread' },
  { model_name: 'rare-model', type: '5' },
  { model_name: 'rare-model', type: '2' },
  { channel: '77' },
  { channel: '77', type: '2' },
  { channel: '3', type: '5' },
  { group: 'rare' },
  { group: 'default' },
  { group: 'rare', type: '2' },
  { group: 'rare', model_name: 'model-1' },
  { username: 'alicia', model_name: 'model-2' },
  { username: 'alicia', token_name: 'key 2' },
  { username: 'alicia', channel: '4' },
  { username: 'alicia', group: 'vip' },
  { token_name: 'key 1', model_name: 'model-2' },
  { token_name: 'key 1', group: 'vip' },
  { channel: '3', model_name: 'model-2' },
  { channel: '3', group: 'vip' },
  { type: '3', username: 'alicia' },
  { type: '3', model_name: 'model-1' },
  { type: '3', channel: '3' },
  { type: '4', group: 'default' },
  { end: 'interrupted' },
  { end: 'interrupted', type: '2' },
  { end: 'interrupted', type: '5' },
  { end: 'interrupted', username: 'alicia' },
  { end: 'interrupted', model_name: 'model-1' },
  { end: 'interrupted', channel: '3' },
  { end: 'interrupted', token_name: 'key 1' },
  { end: 'interrupted', group: 'default' },
  { client: 'Codex' },
  { min_quota: '100000000' },
  { min_quota: '100000000', username: 'alicia' },
  { client: 'Codex', type: '2' },
  { client: 'Codex', username: 'alicia' },
  { client: 'Codex', group: 'rare' },
  { client: 'Codex', model_name: 'rare-model' },
  { client: 'Codex', username: 'alicia', model_name: 'model-2' },
  { tag: 'rare=yes' },
  { tag: 'rare', username: 'alicia' },
  { tag: 'rare', end: 'interrupted' },
  { session: 'rare session' },
  { session: 'rare session', end: 'interrupted' },
  { request_id: 'oldest' },
  { provider_request_id: 'oldest' },
  { username: 'alicia', not: 'username' },
  { group: 'default', not: 'group' },
  { channel: '3', model_name: 'model', not: 'channel' },
  { model_name: 'model', not: 'model_name' },
  { organisation_id: '9' },
  { member_id: '9', end: 'interrupted' },
]

describeEachEngine('what calls of the log read', (open) => {
  let database: Database
  let logs: TestLogs
  let statements: RecordedStatements

  beforeAll(async () => {
    database = await open()
    statements = recordStatements(database, rows)
    logs = await openTestLogs(statements.database, { most })
    const step = Math.floor((days * day) / rows)
    const common = Array.from({ length: rows }, (_, index) => {
      const isOdd = index % 2 === 1
      return {
        created_at: now - index * step,
        user_id: isOdd ? 7 : 8,
        type: index % 400 === 0 ? 3 : 2,
        token_name: isOdd ? 'key 1' : 'key 2',
        token_id: isOdd ? 1 : 2,
        channel_id: isOdd ? 3 : 4,
        model_name: isOdd ? 'model-1' : 'model-2',
        group: 'default',
        other: '{"client":"curl","end":"done"}',
      }
    })
    const oldest = now - days * day
    const rare = {
      created_at: oldest,
      user_id: 9,
      type: 5,
      token_name: 'rare key',
      token_id: 9,
      model_name: 'rare-model',
      channel_id: 77,
      group: 'rare',
      other: '{"client":"Codex","end":"interrupted"}',
      request_id: 'oldest',
      session: 'rare session',
      provider_request_id: 'oldest',
      tags: ';rare=yes;',
    }
    const meeting = { created_at: oldest, user_id: 7, token_name: 'key 1', channel_id: 3, model_name: 'model-2' }
    for (let start = 0; start < rows; start += 5_000) await logs.charge(...common.slice(start, start + 5_000))
    await logs.charge(
      { ...meeting, group: 'vip', token_id: 1, type: 5 },
      ...Array.from({ length: 40 }, (_, index) => ({
        ...meeting,
        model_name: `spread-${index}`,
        token_id: 1,
        type: 2,
      })),
    )
    await logs.charge(rare)
    const tables = ['logs', 'usage_hours', 'usage_days', 'usage_site_days']
    const analyse = {
      sqlite: ['select 1'],
      postgres: [`vacuum analyze ${tables.join(', ')}`],
      mysql: [`analyze table ${tables.join(', ')}`],
    }[database.engine]
    for (const statement of analyse) await sql.raw(statement).execute(database.query)
  }, 240_000)

  /** How many rows of the log the dearest statement of a call read. */
  const mostRowsOf = async (path: string): Promise<{ read: number; text: string }> => {
    statements.forget()
    await logs.admin('GET', path)
    const found = await statements.read('logs')
    // SQLite says only what is walked through; the newest rows of all are read along the time, up to the limit.
    const isBounded = (text: string): boolean =>
      database.engine === 'sqlite' && !/ where (?!1 = 1 (order|limit))/.test(text)
    return found
      .filter(({ text }) => !isBounded(text))
      .reduce((dearest, one) => (one.read > dearest.read ? one : dearest), { read: 0, text: '' })
  }

  const range = `start_timestamp=${now - 20 * day}&end_timestamp=${now}`
  const calls = (query: string): readonly (readonly [string, string])[] => [
    ['a page', `/api/log/?${query}`],
    ['a page of a range', `/api/log/?${query}&${range}`],
    ['a later page', `/api/log/?${query}&p=2&after=${now - 3 * day}.5`],
    // Without a filter the newest 50,000 rows are sorted, which lie side by side.
    ...(query === '' ? [] : [['the dearest', `/api/log/?${query}&sort=-quota`] as const]),
    ['sums', `/api/log/stat?${query}&${range}`],
    ['the chart', `/api/log/volume?${query}&zone=Asia/Shanghai`],
    ['values', `/api/log/facets?${query}&facet=type`],
    ['values that the sums do not know', `/api/log/facets?${query}&facet=client&${range}`],
    ['values of the log alone', `/api/log/facets?${query}&facet=username&start_timestamp=${now - 3 * 3600}`],
  ]

  it.for(filters)('reads a bounded number of rows for %o', async (filter) => {
    const tooMany: string[] = []
    for (const [name, path] of calls(String(new URLSearchParams(filter)))) {
      const { read, text } = await mostRowsOf(path)
      if (read > mostRead) tooMany.push(`${name}: ${read} rows: ${text}`)
    }
    expect(tooMany).toEqual([])
  })
})
