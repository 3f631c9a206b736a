import { channelTestLabel, logType } from '@tollgate/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Database, Engine } from '#server/db/database.ts'
import { hourSeconds } from './report.ts'

/** Sums of the log's rows in an hour, for one combination of names. */
export interface LogSum {
  readonly model: string
  /** The model that the provider was asked for, where it is another one. */
  readonly upstream: string
  /** The service tier that answered; empty for the standard one. */
  readonly tier: string
  /** Prompts were longer than so many tokens, where that changes the price; 0 otherwise. */
  readonly above: number
  /** 1 for channel tests, which no user is charged for. */
  readonly tested: number
  readonly calls: number
  readonly prompt: number
  readonly completion: number
  readonly cacheRead: number
  /** Tokens written to caches for five minutes and for an hour together. */
  readonly cacheWrite: number
  readonly cacheWrite1h: number
  readonly audioInput: number
  readonly audioOutput: number
  /** 1 where calls keep what they cost at the provider. */
  readonly costed: number
  /** Cost there, in quota units; 0 if unknown. */
  readonly cost: number
}

type Sql = RawBuilder<unknown>

/** Rows of other programs may hold other things. */
const isJson: Readonly<Record<Engine, Sql>> = {
  sqlite: sql`json_valid(other)`,
  postgres: sql`other like '{%'`,
  mysql: sql`json_valid(other)`,
}

/** A member of `other` as text. */
const member = (engine: Engine, ...path: readonly string[]): Sql => {
  if (engine === 'postgres') return sql`(other::json #>> ${sql.lit(`{${path.join(',')}}`)})`
  const inside = sql.lit(`$.${path.join('.')}`)
  return engine === 'sqlite' ? sql`json_extract(other, ${inside})` : sql`json_unquote(json_extract(other, ${inside}))`
}

/** Tokens that were written to the cache for an hour stand in the lines of the receipt only. */
const hourWrites: Readonly<Record<Engine, Sql>> = {
  sqlite: sql`(select sum(json_extract(value, '$.quantity')) from json_each(other, '$.receipt.lines')
    where json_extract(value, '$.item') = 'cache_write_1h')`,
  postgres: sql`(select sum((line ->> 'quantity')::numeric)::text
    from json_array_elements(other::json #> '{receipt,lines}') as line where line ->> 'item' = 'cache_write_1h')`,
  mysql: sql`json_extract(other, replace(json_unquote(
    json_search(other, 'one', 'cache_write_1h', null, '$.receipt.lines[*].item')), '.item', '.quantity'))`,
}

/** A count in `other`, 0 where there is none. */
const count = (engine: Engine, value: Sql): Sql => {
  const found = sql`case when ${isJson[engine]} then ${value} end`
  if (engine === 'postgres') return sql`coalesce(substring(${found} from '^[0-9]{1,15}')::bigint, 0)`
  return sql`coalesce(cast(${found} as ${sql.raw(engine === 'sqlite' ? 'integer' : 'signed')}), 0)`
}

const text = (engine: Engine, value: Sql): Sql => sql`coalesce(case when ${isJson[engine]} then ${value} end, '')`

const frozenCost = (engine: Engine): Sql => member(engine, 'admin_info', 'cost', 'quota')

const rowsOfHour = (engine: Engine, channelIds: readonly number[], at: number): Sql => sql`
  select model_name as model, prompt_tokens as prompt, completion_tokens as completion,
    case when token_id = 0 and token_name = ${channelTestLabel} then 1 else 0 end as tested,
    ${text(engine, member(engine, 'upstream_model_name'))} as upstream,
    ${text(engine, member(engine, 'receipt', 'tier', 'name'))} as tier,
    ${count(engine, member(engine, 'receipt', 'context_above'))} as above,
    ${count(engine, member(engine, 'cache_tokens'))} as cache_read,
    ${count(engine, member(engine, 'cache_creation_tokens'))} as cache_write,
    ${count(engine, hourWrites[engine])} as cache_write_1h,
    ${count(engine, member(engine, 'audio_input'))} as audio_input,
    ${count(engine, member(engine, 'audio_output'))} as audio_output,
    case when ${text(engine, frozenCost(engine))} <> '' then 1 else 0 end as costed,
    ${count(engine, frozenCost(engine))} as cost
  from logs
  where channel_id in (${sql.join(channelIds.map((id) => sql.lit(id)))})
    and created_at >= ${at} and created_at < ${at + hourSeconds} and type = ${logType.consume}`

type Row = Readonly<Record<string, string | number>>

const sumOf = (row: Row): LogSum => ({
  model: String(row.model),
  upstream: String(row.upstream),
  tier: String(row.tier),
  above: Number(row.above),
  tested: Number(row.tested),
  calls: Number(row.calls),
  prompt: Number(row.prompt),
  completion: Number(row.completion),
  cacheRead: Number(row.cache_read),
  cacheWrite: Number(row.cache_write),
  cacheWrite1h: Number(row.cache_write_1h),
  audioInput: Number(row.audio_input),
  audioOutput: Number(row.audio_output),
  costed: Number(row.costed),
  cost: Number(row.cost),
})

/**
 * Sums the charged calls of channels in the hour that begins at `at` (unix seconds). Reads along the index of channels; rows
 * stay in the database.
 */
export const sumLogHour = async (
  logs: Database,
  channelIds: readonly number[],
  at: number,
): Promise<readonly LogSum[]> => {
  const figures = [
    'prompt',
    'completion',
    'cache_read',
    'cache_write',
    'cache_write_1h',
    'audio_input',
    'audio_output',
    'cost',
  ]
  const sums = figures.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`)
  const { rows } = await sql<Row>`
    select model, upstream, tier, above, tested, costed, count(*) as calls, ${sql.join(sums)}
    from (${rowsOfHour(logs.engine, channelIds, at)}) as used
    group by model, upstream, tier, above, tested, costed`.execute(logs.query)
  return rows.map(sumOf)
}
