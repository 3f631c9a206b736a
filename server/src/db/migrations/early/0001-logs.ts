import type { Kysely } from 'kysely'
import { createTable, hintRowsPerValue, type TableShape } from '../../tables.ts'

/**
 * Each index serves one filter of the log page, newest first, within a span of time: read it with
 * `order by created_at desc, id desc`. Every further one costs time on each request.
 */
const logs: TableShape = {
  columns: {
    id: 'id',
    user_id: 'whole',
    created_at: 'whole',
    type: 'whole',
    content: 'text',
    username: 'key',
    token_name: 'key',
    token_id: 'whole',
    model_name: 'key',
    quota: 'whole',
    prompt_tokens: 'whole',
    completion_tokens: 'whole',
    use_time: 'whole',
    is_stream: 'whole',
    channel_id: 'whole',
    group: 'key',
    request_id: 'key',
    ip: 'key',
    other: 'text',
  },
  unique: [['request_id']],
  indexes: [
    ['created_at', 'id'],
    ['user_id', 'created_at', 'id'],
    ['type', 'created_at', 'id'],
    ['username', 'created_at', 'id'],
    ['model_name', 'created_at', 'id'],
    ['channel_id', 'created_at', 'id'],
    ['token_name', 'created_at', 'id'],
  ],
}

const rowsPerLogValue = {
  logs_user_id_created_at_id: 2_000,
  logs_username_created_at_id: 2_000,
  logs_token_name_created_at_id: 5_000,
  logs_channel_id_created_at_id: 20_000,
  logs_model_name_created_at_id: 20_000,
  logs_type_created_at_id: 200_000,
}

export const createLogs = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    await createTable(on, 'logs', logs)
    await hintRowsPerValue(on, 'logs', rowsPerLogValue)
  },
}
