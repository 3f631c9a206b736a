import { CompiledQuery, createQueryId, type KyselyPlugin, type RootOperationNode } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../../src/db/database.ts'

/** Rows that an engine read from a table for a query, those that it left out included. */
const readBy = {
  postgres: (plan: unknown, table: string): number => {
    const node = z.looseObject({
      'Relation Name': z.string().optional(),
      'Actual Rows': z.number(),
      'Actual Loops': z.number(),
      'Rows Removed by Filter': z.number().default(0),
      'Rows Removed by Index Recheck': z.number().default(0),
      Plans: z.array(z.unknown()).default([]),
    })
    const sum = (value: unknown): number => {
      const read = node.parse(value)
      const own =
        read['Relation Name'] === table
          ? (read['Actual Rows'] + read['Rows Removed by Filter'] + read['Rows Removed by Index Recheck']) *
            read['Actual Loops']
          : 0
      return own + read.Plans.reduce<number>((all, child) => all + sum(child), 0)
    }
    const text = z.array(z.object({ 'QUERY PLAN': z.array(z.object({ Plan: z.unknown() })) })).parse(plan)
    return sum(text[0]?.['QUERY PLAN'][0]?.Plan)
  },
  // MariaDB prints conditions without escaping their quotes, so this is no JSON that could be parsed.
  mysql: (plan: unknown, table: string): number => {
    const texts = z.array(z.record(z.string(), z.string())).parse(plan).flatMap(Object.values)
    const pattern = new RegExp(`"table_name": "${table}",.*?"r_loops": ([\\d.]+),.*?"r_rows": ([\\d.]+)`, 'gs')
    return [...texts.join('\n').matchAll(pattern)].reduce(
      (sum, [, loops, read]) => sum + Number(loops) * Number(read),
      0,
    )
  },
  /** Says what is walked through from end to end, not how many rows that are. */
  sqlite: (plan: unknown, table: string, rows: number): number => {
    const steps = z.array(z.object({ detail: z.string() })).parse(plan)
    return steps.some(({ detail }) => detail.startsWith('SCAN ') && detail.split(' ')[1] === table) ? rows : 0
  },
}

const explain = {
  postgres: 'explain (analyze, timing off, format json)',
  mysql: 'analyze format=json',
  sqlite: 'explain query plan',
}

export interface RecordedStatements {
  /** The database whose statements are written down. */
  readonly database: Database
  forget(): void
  /** Runs each statement on a table again, and answers how many of its rows were read. */
  read(table: string): Promise<{ readonly text: string; readonly read: number }[]>
}

/** Writes down the statements of a database, to count the rows that they read; `rows` is what SQLite counts for a whole table. */
export const recordStatements = (database: Database, rows: number): RecordedStatements => {
  const asked: RootOperationNode[] = []
  const recorder: KyselyPlugin = {
    transformQuery: ({ node }) => {
      asked.push(node)
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return {
    database: { ...database, query: database.query.withPlugin(recorder) },
    forget: () => void asked.splice(0),
    async read(table) {
      const { engine, query } = database
      const executor = query.getExecutor()
      const compiled = asked
        .map((node) => executor.compileQuery(node, createQueryId()))
        .filter(({ sql: text }) => new RegExp(`from .${table}.`).test(text))
      const found: { text: string; read: number }[] = []
      for (const { sql: text, parameters } of compiled) {
        const plan = await query.executeQuery(CompiledQuery.raw(`${explain[engine]} ${text}`, [...parameters]))
        found.push({ text: `${text} ${JSON.stringify(parameters)}`, read: readBy[engine](plan.rows, table, rows) })
      }
      return found
    },
  }
}
