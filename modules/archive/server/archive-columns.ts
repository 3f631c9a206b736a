import type { LogsTable } from '#server/db/schema.ts'

/** The columns of an archive file, which are those of the log, and their types in DuckDB. */
export const archiveColumns = {
  id: 'bigint',
  user_id: 'bigint',
  created_at: 'bigint',
  type: 'bigint',
  content: 'varchar',
  username: 'varchar',
  token_name: 'varchar',
  token_id: 'bigint',
  model_name: 'varchar',
  quota: 'bigint',
  prompt_tokens: 'bigint',
  completion_tokens: 'bigint',
  use_time: 'bigint',
  is_stream: 'bigint',
  channel_id: 'bigint',
  group: 'varchar',
  request_id: 'varchar',
  ip: 'varchar',
  other: 'varchar',
  provider_request_id: 'varchar',
  answer_id: 'varchar',
  session: 'varchar',
  tags: 'varchar',
  end_user: 'varchar',
  provisional: 'bigint',
} as const satisfies Record<keyof LogsTable, 'bigint' | 'varchar'>

export const archiveColumnNames = Object.keys(archiveColumns) as readonly (keyof LogsTable)[]
