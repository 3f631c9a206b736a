import type { Kysely } from 'kysely'
import { createTable } from '../../tables.ts'

/** Calls that a second gateway was asked, too. */
export const dualRuns = {
  up: (on: Kysely<unknown>): Promise<void> =>
    createTable(on, 'dual_runs', {
      columns: {
        id: 'id',
        request_id: 'key',
        created_time: 'whole',
        model: 'key',
        path: 'key',
        status: 'whole',
        same_text: 'count',
        same_tools: 'count',
        same_finish: 'count',
        same_usage: 'count',
        differs: 'count',
        quota: 'count',
        second_quota: 'count',
        spent: 'count',
        prompt_tokens: 'count',
        completion_tokens: 'count',
        second_prompt_tokens: 'count',
        second_completion_tokens: 'count',
        took_ms: 'count',
        second_ms: 'count',
        content_cipher: 'text',
      },
      indexes: [['created_time'], ['differs']],
    }),
}
