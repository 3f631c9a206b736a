import { CompiledQuery, createQueryId, type KyselyPlugin, type RootOperationNode, sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { describeEachServer } from '../../../test/support/db/databases.ts'
import { fillFromTemplate } from '../../../test/support/db/fill-from-template.ts'
import type { Database } from '../../db/database.ts'
import { openDatabase } from '../../db/engines/open.ts'
import { readFigures } from '../figures/read-figures.ts'
import { bucketsOf, pieceSeconds } from './usage-buckets.ts'
import { sumPieces, sumPoints } from './usage-pieces.ts'

const day = 86_400
/** A month is so large a part of them that MariaDB would rather read all. */
const days = 100
const perDay = 40
const begins = 1_800_000_000 - (1_800_000_000 % day)
const month = { from: begins + (days - 30) * day, to: begins + days * day }

describeEachServer('a month of the hourly sums', (place, engine) => {
  let database: Database
  const asked: RootOperationNode[] = []

  beforeAll(async () => {
    if (engine !== 'mysql') return
    const address = await place()
    await fillFromTemplate(address)
    database = await openDatabase(address)
    const rows = Array.from({ length: days * perDay }, (_, index) => ({
      created_at: begins + Math.floor(index / perDay) * day + (index % 20) * 3600,
      dimensions_hash: `h${index}`,
      user_id: index % 7,
      token_id: index % 7,
      token_name: 'key',
      channel_id: 1,
      group: 'default',
      model_name: `m${index % 3}`,
      count: 1,
      quota: 1,
      prompt_tokens: 1,
      completion_tokens: 1,
      failures: 0,
    }))
    await database.insertMany('usage_hours', rows)
    await sql
      .raw(engine === 'mysql' ? 'analyze table usage_hours' : 'vacuum analyze usage_hours')
      .execute(database.query)
    return () => database.close()
  })

  /** The plan of the one statement that a reading makes. */
  const planOf = async (read: (on: Pick<Database, 'query'>) => Promise<unknown>): Promise<string> => {
    const recorder: KyselyPlugin = {
      transformQuery: ({ node }) => {
        asked.push(node)
        return node
      },
      transformResult: async ({ result }) => result,
    }
    asked.length = 0
    await read({ query: database.query.withPlugin(recorder) })
    const executor = database.query.getExecutor()
    const plans = asked.map(async (node) => {
      const { sql: text, parameters } = executor.compileQuery(node, createQueryId())
      const { rows } = await database.query.executeQuery<Record<string, unknown>>(
        CompiledQuery.raw(`explain ${text}`, [...parameters]),
      )
      // The table, how it is read, and along which index.
      return rows.map((row) => `${row.table} ${row.type} ${row.key}`).join('\n')
    })
    return (await Promise.all(plans)).join('\n')
  }

  const filter = {}
  const spans = [{ table: 'usage_hours', ...month }] as const
  const buckets = bucketsOf(pieceSeconds.day, 'Asia/Shanghai', month.from, month.to)

  const readings: readonly (readonly [string, (on: Pick<Database, 'query'>) => Promise<unknown>])[] = [
    ['of everything', (on) => sumPieces(on, { filter, spans }, buckets)],
    ['of a model', (on) => sumPieces(on, { filter: { model: 'm1' }, spans }, buckets)],
    ['of some models', (on) => sumPoints(on, { filter, spans }, { column: 'model_name', keys: ['m1', 'm2'] }, buckets)],
    ['in figures', (on) => readFigures(on, { ...month, by: ['model'], filters: [], buckets, utcDays: false })],
  ]

  // PostgreSQL guesses well by itself.
  describe.skipIf(engine !== 'mysql')('is read along its time, not with all years before it', () => {
    it.each(readings)('%s', async (_name, read) => {
      const plan = await planOf(read)
      expect(plan).toMatch(/usage_hours range usage_hours_created_at_dimensions_hash/)
    })
  })
})
