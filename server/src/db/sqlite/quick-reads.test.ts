import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely'
import { expect, it } from 'vitest'
import type { Tables } from '../schema.ts'
import { quickQuestion, readsQuickly } from './quick-reads.ts'

const query = new Kysely<Tables>({
  dialect: {
    createDriver: () => new DummyDriver(),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})

const quick: Readonly<Record<string, CompiledQuery>> = {
  'settings and jobs': query.selectFrom('options').selectAll().compile(),
  'one of them': query.selectFrom('cluster_jobs').select('name').where('name', '=', 'a').compile(),
  'no table': sql`select cast(unixepoch('subsec') * 1000 as integer) as now`.compile(query),
  'the first row of any table': query.selectFrom('logs').select('id').limit(1).compile(),
  'what unique keys answer': query
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .selectAll()
    .where('tokens.key_hash', '=', 'a')
    .modifyEnd(quickQuestion)
    .compile(),
}

const slow: Readonly<Record<string, CompiledQuery>> = {
  'a large table': query.selectFrom('logs').selectAll().where('user_id', '=', 1).compile(),
  'an order of a large table': query.selectFrom('logs').select('id').orderBy('quota').limit(1).compile(),
  'a search in a large table': query.selectFrom('logs').select('id').where('quota', '=', 1).limit(1).compile(),
  'a small table beside a large one': query
    .selectFrom('log_purges')
    .innerJoin('logs', 'logs.id', 'log_purges.id')
    .select('logs.id')
    .compile(),
  'a small table and a large one in a list': query.selectFrom(['options', 'logs']).select('logs.id').compile(),
  'a question inside another': query
    .selectFrom('options')
    .selectAll()
    .where(({ exists, selectFrom }) => exists(selectFrom('logs').select('id')))
    .compile(),
  'rows that are made on the way': query
    .selectFrom(query.selectFrom('logs').select('id').as('found'))
    .selectAll()
    .compile(),
  'a raw question': sql`select count(*) from logs`.compile(query),
  'a raw recursion': sql`with recursive n(i) as (select 1) select count(*) from n`.compile(query),
}

it.each(Object.entries(quick))('lets the writer answer: %s', (_, compiled) => {
  expect(readsQuickly(compiled)).toBe(true)
})

it.each(Object.entries(slow))('leaves to a reader: %s', (_, compiled) => {
  expect(readsQuickly(compiled)).toBe(false)
})
