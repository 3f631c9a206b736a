import { sql } from 'kysely'
import type { Database, DatabaseAddress } from '../src/db/database.ts'

/** Size of a generated year of a large site. */
export interface ManyLogs {
  readonly rows: number
  /** Unix seconds of the newest row. */
  readonly end: number
  readonly days: number
}

/** Address of the database at `place`, a DSN or the path of a SQLite file. */
export const addressOf = (place: string): DatabaseAddress => {
  if (place.startsWith('postgres')) return { engine: 'postgres', url: place }
  return { engine: place.startsWith('mysql') ? 'mysql' : 'sqlite', url: place }
}

const chunkRows = 250_000
const users = 2_000
const models = 60
/** So many people call at the same time, forty times each, with two models. */
const sessions = 50
const callsPerSession = 40
/** Days that the speed of users and keys is kept without a choice. */
const keptSpeedDays = 30
/** Days that the health of channels is kept. */
const keptHealthDays = 2

/** A number below `below` that depends on `of` alone; cubed where few shall have most. */
const spread = (of: string, salt: number, below: number, skew: 1 | 3 = 1): string => {
  const share = `((((${of}) * ${7919 + salt * 2} + ${salt * 104_729}) % 1000003) * 1.0 / 1000003)`
  const chance = skew === 1 ? share : `${share} * ${share} * ${share}`
  return `cast(floor(${chance} * ${below}) as bigint)`
}

const other =
  '{"model_ratio":1.25,"group_ratio":1,"completion_ratio":4,"cache_tokens":0,"cache_ratio":0.5,"model_price":-1,"frt":412,"duration_ms":3120,' +
  '"end":"done","path":"/v1/chat/completions","admin_info":{"use_channel":["3"],"attempts":[{"channel":3,"channel_name":"OpenAI main",' +
  '"started_ms":2,"duration_ms":3105,"status":200,"error":""}]},"receipt":{"mode":"tokens","lines":[{"item":"input","quantity":812,"price":"1"},' +
  '{"item":"output","quantity":230,"price":"4"}],"model_ratio":"1.25","group_ratio":"1","quota_per_unit":"500000","quota":2165,"estimated":false}}'

const inDialect = ({ engine }: Database, text: string): string =>
  engine === 'mysql' ? text.replaceAll('as bigint)', 'as signed)') : text

const insertChunk = ({ rows, end, days }: ManyLogs, from: number, to: number): string => {
  // Division of whole numbers leaves a fraction on MySQL, so what is divided has none.
  const round = sessions * callsPerSession
  const session = `(i % ${sessions} + (i - i % ${round}) / ${round} * ${sessions})`
  return `
insert into logs (user_id, created_at, type, content, username, token_name, token_id, model_name, quota, prompt_tokens,
  completion_tokens, use_time, is_stream, channel_id, "group", request_id, ip, session, other)
with recursive n(i) as (select cast(${from} as bigint) union all select i + 1 from n where i + 1 < ${to}),
who as (select i, cast(${session} as bigint) as session, ${spread(session, 3, users, 3)} as u, ${spread('i', 11, 1000)} as kind from n),
what as (select i, session, u, kind,
  (u * 7 + (i % 2) * 13 + case when kind % 50 = 0 then i % ${models} else 0 end) % ${models} as model,
  ${spread('i', 5, 3000)} as prompt, ${spread('i', 23, 1500)} as answer from who)
select u + 1, ${end} - cast((${rows} - i) * ${(days * 86_400) / rows} as bigint),
  case when kind < 940 then 2 when kind < 990 then 5 when kind < 995 then 1 when kind < 998 then 3 else 4 end,
  '模型倍率 1.25，补全倍率 4.00，分组倍率 1.00', 'user' || (u + 1),
  case when u % 3 = 0 then 'default' else 'key ' || (u * 2 + i % 2) end, u * 2 + i % 2 + 1, 'model-' || model,
  case when kind < 940 then prompt + answer * 4 else 0 end, prompt, answer, kind % 40, i % 2,
  model % 20 * 2 + case when kind % 10 = 0 then 2 else 1 end,
  case when u % 1000 = 999 then 'rare' when u % 20 = 7 then 'svip' when u % 5 = 1 then 'vip' else 'default' end,
  'generated-' || i, '192.0.2.' || (u % 250), 'session-' || session, '${other}' from what`
}

const figures = `sum("count"), sum(quota), sum(prompt_tokens), sum(completion_tokens), sum(failures), sum(cached_tokens), sum(cost),
  sum(costed_count), sum(costed_quota)`
const charged = (column: string): string => `sum(case when type = 2 then ${column} else 0 end)`
/** A third of the prompts comes from caches, and every call costs seven tenths of its price. */
const figuresOfLogs = `${charged('1')}, ${charged('quota')}, ${charged('prompt_tokens')}, ${charged('completion_tokens')},
  sum(case when type = 5 then 1 else 0 end), ${charged('cast(floor(prompt_tokens / 3.0) as bigint)')},
  ${charged('cast(floor(quota * 0.7) as bigint)')}, ${charged('1')}, ${charged('quota')}`
const figureColumns =
  '"count", quota, prompt_tokens, completion_tokens, failures, cached_tokens, cost, costed_count, costed_quota'

/** The sums that the ledger would have written. Texts stand for the hashes: they only have to differ. */
const usageOf = (table: 'usage_hours' | 'usage_days', seconds: number, from: 'logs' | 'usage_hours'): string => `
insert into ${table} (created_at, dimensions_hash, user_id, token_id, token_name, channel_id, "group", model_name, ${figureColumns})
select created_at - created_at % ${seconds}, user_id || ':' || token_id || ':' || channel_id || ':' || model_name, user_id, token_id,
  token_name, channel_id, "group", model_name, ${from === 'logs' ? figuresOfLogs : figures}
from ${from} ${from === 'logs' ? 'where type in (2, 5)' : ''} group by 1, 2, 3, 4, 5, 6, 7, 8`

const siteUsage = `
insert into usage_site_days (created_at, channel_id, "group", model_name, ${figureColumns})
select created_at, channel_id, "group", model_name, ${figures} from usage_days group by 1, 2, 3, 4`

const userUsage = `
insert into usage_user_periods (created_at, user_id, token_id, token_name, ${figureColumns})
select created_at - created_at % 2419200, user_id, token_id, token_name, ${figures} from usage_days group by 1, 2, 3, 4`

const hourOf = 'created_at - created_at % 3600'
const dimensions = `user_id || ':' || token_id || ':' || channel_id || ':' || model_name`

/** A tenth of the failures are refusals for lack of balance, before any channel. */
const failures = `
insert into failure_hours (created_at, dimensions_hash, user_id, token_id, channel_id, "group", model_name, class, "count")
select hour, hash || ':' || class, user_id, token_id, case when class = 'quota' then 0 else channel_id end, "group", model_name, class, count(*)
from (select ${hourOf} as hour, ${dimensions} as hash, user_id, token_id, channel_id, "group", model_name,
  case when use_time % 10 = 7 then 'quota' when use_time % 10 = 3 then 'rate_limited' else 'server_error' end as class
  from logs where type = 5) as failed group by 1, 2, 3, 4, 5, 6, 7, 8`

/** First contents after half a second, ends after one to sixteen; of the days that a site has by user and key without a choice. */
const speedOf = (table: 'speed_hours' | 'speed_site_hours', from: number): string => {
  const own = table === 'speed_hours'
  const columns = `${own ? 'dimensions_hash, user_id, token_id, ' : ''}channel_id, "group", model_name, octave`
  const rows = (octave: string, first: 0 | 1) => `
  select ${hourOf} as hour, ${dimensions} as dimensions_hash, user_id, token_id, channel_id, "group", model_name, ${octave} as octave,
    ${first} as first_one, ${1 - first} as total_one from logs where type = 2 and created_at >= ${from}`
  return `
insert into ${table} (created_at, ${columns}, first_5, total_5)
select hour, ${columns}, sum(first_one), sum(total_one)
from (${rows('8', 1)} union all ${rows('10 + use_time % 4', 0)}) as timed group by hour, ${columns}`
}

/** Health of the channels in the days that a site has of it, in pieces of five minutes. */
const health = (from: number): string => `
insert into channel_health (channel_id, model_name, bucket, ok, server_error, spent, took_9, first_contents, first_content_ms, last_error,
  last_error_time)
select channel_id, model_name, created_at - created_at % 300, ${charged('1')}, sum(case when type = 5 then 1 else 0 end), ${charged('quota')},
  ${charged('1')}, ${charged('1')}, ${charged('412')}, case when max(type) = 5 then 'The server had an error' else '' end,
  max(case when type = 5 then created_at else 0 end)
from logs where type in (2, 5) and created_at >= ${from} group by 1, 2, 3`

const sessionHours = `
insert into call_session_hours (created_at, dimensions_hash, session, user_id, token_id, channel_id, model_name, ${figureColumns})
select ${hourOf}, session || ':' || ${dimensions}, session, user_id, token_id, channel_id, model_name, ${figuresOfLogs}
from logs where type in (2, 5) group by 1, 2, 3, 4, 5, 6, 7`

/** Fills the tables of sums from the logs. */
const fillUsage = async (database: Database, { end }: ManyLogs): Promise<void> => {
  const statements = [
    usageOf('usage_hours', 3_600, 'logs'),
    usageOf('usage_days', 86_400, 'usage_hours'),
    siteUsage,
    userUsage,
    failures,
    speedOf('speed_hours', end - keptSpeedDays * 86_400),
    speedOf('speed_site_hours', 0),
    health(end - keptHealthDays * 86_400),
    sessionHours,
  ]
  for (const statement of statements) await sql.raw(inDialect(database, statement)).execute(database.query)
}

interface Index {
  readonly name: string
  readonly of: string
  /** The statement that makes it. */
  readonly text: string
}

const indexesOf = async ({ engine, query }: Database): Promise<readonly Index[]> => {
  if (engine === 'sqlite')
    return (
      await sql<Index>`select name, sql as text, tbl_name as "of" from sqlite_master where type = 'index' and sql is not null`.execute(
        query,
      )
    ).rows
  if (engine === 'postgres')
    return (
      await sql<Index>`select indexname as name, indexdef as text, tablename as "of" from pg_indexes
        where schemaname = current_schema() and indexname not like '%pkey'`.execute(query)
    ).rows
  return (
    await sql<Index>`select index_name as name, table_name as "of",
      concat('create ', if(min(non_unique) = 0, 'unique ', ''), 'index "', index_name, '" on "', table_name, '" (',
        group_concat(concat('"', column_name, '"', if(sub_part is null, '', concat('(', sub_part, ')')), if(collation = 'D', ' desc', ''))
          order by seq_in_index), ')') as text
      from information_schema.statistics where table_schema = database() and index_name <> 'PRIMARY'
      group by table_name, index_name`.execute(query)
  ).rows
}

/** Indexes are built after the rows: that is faster by far. */
const withoutIndexes = async (
  database: Database,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> => {
  const own = (await indexesOf(database)).filter((index) => tables.includes(index.of))
  const onTable = (table: string): string => (database.engine === 'mysql' ? ` on "${table}"` : '')
  for (const { name, of } of own) await sql.raw(`drop index "${name}"${onTable(of)}`).execute(database.query)
  await work()
  for (const { text } of own) await sql.raw(text).execute(database.query)
}

/** MySQL and MariaDB then read the statements of the others. Counts for one connection. */
const speakStandard = async ({ query }: Database): Promise<void> => {
  await sql`set session sql_mode = 'ANSI_QUOTES,PIPES_AS_CONCAT'`.execute(query)
  await sql`set session group_concat_max_len = 10000`.execute(query)
  // Sums of millions of rows are grouped in memory; on the disk they take an hour.
  for (const variable of ['tmp_table_size', 'max_heap_table_size'])
    await sql.raw(`set session ${variable} = ${2 ** 31}`).execute(query)
  const { rows } = await sql<{ version: string }>`select version() as version`.execute(query)
  const isMaria = rows[0]?.version.includes('MariaDB') === true
  await sql
    .raw(`set session ${isMaria ? 'max_recursive_iterations' : 'cte_max_recursion_depth'} = ${chunkRows + 1}`)
    .execute(query)
}

/** Tables that are filled: the log, and the sums and rows that its calls would have made. */
export const filledTables = [
  'logs',
  'usage_hours',
  'usage_days',
  'usage_site_days',
  'usage_user_periods',
  'failure_hours',
  'speed_hours',
  'speed_site_hours',
  'channel_health',
  'call_session_hours',
] as const

/**
 * Fills an empty database with a year of a large site: logs and the sums that belong to them. Needs a single connection on MySQL.
 */
export const fillWithLogs = async (database: Database, many: ManyLogs): Promise<void> => {
  if (database.engine === 'mysql') await speakStandard(database)
  await withoutIndexes(database, filledTables, async () => {
    for (let from = 0; from < many.rows; from += chunkRows) {
      await sql
        .raw(inDialect(database, insertChunk(many, from, Math.min(many.rows, from + chunkRows))))
        .execute(database.query)
    }
    await fillUsage(database, many)
  })
  if (database.engine === 'postgres') await sql`vacuum analyze`.execute(database.query)
  if (database.engine === 'mysql') await sql.raw(`analyze table ${filledTables.join(', ')}`).execute(database.query)
}
