import { type FullRows, longKey, longText, most, time } from '#server-test/support/db/full-rows/values.ts'
import type { DualRunTables } from '../server/tables.ts'

export const rows: FullRows<DualRunTables> = {
  dual_runs: {
    request_id: longKey,
    created_time: time,
    model: longKey,
    path: longKey,
    status: 200,
    same_text: 1,
    same_tools: 1,
    same_finish: 1,
    same_usage: 1,
    differs: 1,
    quota: most,
    second_quota: most,
    spent: most,
    prompt_tokens: most,
    completion_tokens: most,
    second_prompt_tokens: most,
    second_completion_tokens: most,
    took_ms: most,
    second_ms: most,
    content_cipher: longText,
  },
}
