import { createHash } from 'node:crypto'

const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex')

/** Rows by table, without the part of its name that all have in common. */
export interface LitellmRows {
  readonly [table: string]: readonly Readonly<Record<string, string | number | null | object>>[]
}

const literal = (value: string | number | null | object): string => {
  if (value === null || typeof value === 'number') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return `'${text.replaceAll("'", "''")}'`
}

/** SQL for a database of LiteLLM in which each table has the columns that its rows name. SQLite stands for PostgreSQL, whose arrays and JSON are text here. */
export const litellmStatements = (rows: LitellmRows): string =>
  Object.entries(rows)
    .flatMap(([table, all]) => {
      const columns = [...new Set(all.flatMap(Object.keys))]
      const list = columns.map((column) => `"${column}"`).join(', ')
      const inserts = all.map(
        (row) =>
          `insert into "LiteLLM_${table}" values (${columns.map((column) => literal(row[column] ?? null)).join(', ')})`,
      )
      return [`create table "LiteLLM_${table}" (${list})`, ...inserts]
    })
    .join(';\n')

/** A key `sk-<alias>`. */
export const litellmKey = (alias: string, more: LitellmRows[string][number] = {}) => ({
  token: hashOf(`sk-${alias}`),
  key_name: `sk-...${alias.slice(-4)}`,
  key_alias: alias,
  spend: 0,
  models: [],
  user_id: null,
  team_id: null,
  project_id: null,
  organization_id: null,
  max_budget: null,
  budget_duration: null,
  budget_reset_at: null,
  budget_id: null,
  rpm_limit: null,
  max_parallel_requests: null,
  allowed_routes: [],
  access_group_ids: [],
  aliases: {},
  metadata: {},
  model_max_budget: {},
  ...more,
})
