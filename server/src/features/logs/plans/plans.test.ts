import { CompiledQuery, createQueryId, type KyselyPlugin, type RootOperationNode, sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { describeEachEngine } from '../../../../test/support/db/databases.ts'
import { testLog } from '../../../../test/support/db/rows.ts'
import type { Database } from '../../../db/database.ts'
import type { LogFilter } from '../filter.ts'
import { type LogStore, openLogStore } from '../store.ts'

const hour = 3600
const now = 1_800_000_000
const none: LogFilter = { tokenName: '', model: '', group: '', requestId: '' }

/** Each part of a filter that has an index of its own, with a value that one row in a thousand has. */
const filters: readonly [string, Partial<LogFilter>][] = [
  ['user_id', { userId: 7 }],
  ['user_id', { userId: 7, type: 2 }],
  ['type', { type: 5 }],
  ['token_name', { tokenName: 'rare' }],
  ['model_name', { model: 'rare' }],
  ['channel_id', { channel: 7 }],
  ['request_id', { requestId: 'r700' }],
  ['provider_request_id', { providerRequestId: 'p700' }],
  ['answer_id', { answerId: 'a700' }],
  ['session', { session: 's700' }],
  ['provisional', { provisional: 'any' }],
  ['provisional', { provisional: 'tier openai hyper' }],
]

/** Query plan of an engine, as one text. */
const planOf = async ({ engine, transaction }: Database, { sql: text, parameters }: CompiledQuery): Promise<string> =>
  transaction(async (trx) => {
    // So small a table would be read whole although there is an index.
    if (engine === 'postgres') await sql`set local enable_seqscan = off`.execute(trx)
    const word = { sqlite: 'explain query plan', postgres: 'explain', mysql: 'explain format=json' }[engine]
    const { rows } = await trx.executeQuery<Record<string, unknown>>(
      CompiledQuery.raw(`${word} ${text}`, [...parameters]),
    )
    return rows.flatMap((row) => Object.values(row).map(String)).join('\n')
  })

/** True if a plan goes to the rows by the value of a column, in whatever words the engine has for it. */
const goesBy = (plan: string, column: string, { engine }: Database): boolean => {
  if (engine === 'sqlite') return new RegExp(`SEARCH logs USING [^\n]*\\(${column}[=>]`).test(plan)
  if (engine === 'postgres') return new RegExp(`Index Cond: [^\n]*\\b${column}\\b`).test(plan)
  return new RegExp(`"used_key_parts": \\[\\s*"${column}"`).test(plan)
}

describeEachEngine('the log’s queries', (open) => {
  let database: Database
  let store: LogStore
  const asked: RootOperationNode[] = []

  /** Texts of what a call asks the table of the log. */
  const queriesOf = async (work: () => Promise<unknown>): Promise<CompiledQuery[]> => {
    asked.length = 0
    await work()
    const executor = database.query.getExecutor()
    return asked
      .map((node) => executor.compileQuery(node, createQueryId()))
      .filter(({ sql: text }) => /from .logs./.test(text))
  }

  beforeAll(async () => {
    database = await open()
    const rows = Array.from({ length: 3000 }, (_, index) => {
      const rare = index % 1000 === 700
      return {
        ...testLog(`r${index}`),
        created_at: now - index * 60,
        user_id: rare ? 7 : index % 5,
        type: rare ? 5 : 2,
        token_name: rare ? 'rare' : 'often',
        model_name: rare ? 'rare' : 'often',
        channel_id: rare ? 7 : 1,
        provider_request_id: `p${index}`,
        answer_id: `a${index}`,
        session: `s${index}`,
        provisional: rare ? 1 : null,
      }
    })
    await database.insertMany('logs', rows)
    const analyse = { sqlite: 'select 1', postgres: 'analyze logs', mysql: 'analyze table logs' }[database.engine]
    await sql.raw(analyse).execute(database.query)
    const recorder: KyselyPlugin = {
      transformQuery: ({ node }) => {
        asked.push(node)
        return node
      },
      transformResult: async ({ result }) => result,
    }
    store = openLogStore({ ...database, query: database.query.withPlugin(recorder) })
  })

  it.each(filters)('finds the first page, and counts it, along the index of %s: %o', async (column, filter) => {
    const asks = [
      () => store.places({ ...none, ...filter }, { offset: 0, limit: 25 }),
      () => store.count({ ...none, ...filter }, 1000),
    ]
    for (const ask of asks) {
      const queries = await queriesOf(ask)
      const last = queries.at(-1)
      const plan = last === undefined ? 'nothing was asked' : await planOf(database, last)
      expect(goesBy(plan, column, database) ? '' : plan).toBe('')
    }
  })

  it('adds up the last minute and the edges of hours along the time', async () => {
    const minute = { ...none, from: now - 60 }
    const edge = { ...none, group: 'default', from: now - hour, to: now - hour + 59 }
    for (const ask of [() => store.load(minute), () => store.quota(edge)]) {
      const plans = await Promise.all((await queriesOf(ask)).map((query) => planOf(database, query)))
      expect(
        plans.filter((plan) => !/created_at/.test(plan) || /\bSCAN logs\b|Seq Scan|"access_type": "ALL"/.test(plan)),
      ).toEqual([])
    }
  })
})
