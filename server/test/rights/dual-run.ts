import type { Transaction } from 'kysely'
import { insertReturningId } from '../../src/db/dialect.ts'
import type { Tables } from '../../src/db/schema.ts'
import type { Secrets } from '../../src/lib/security/secrets.ts'

const texts = {
  text: '',
  second_text: '',
  tool_calls: 0,
  second_tool_calls: 0,
  finish: '',
  second_finish: '',
  error: '',
}

/** A call that a second gateway was asked, too. */
export const giveDualRun = (query: Transaction<Tables>, secrets: Secrets): Promise<number> =>
  insertReturningId(query, 'dual_runs', {
    request_id: 'dual',
    created_time: 1,
    model: 'gpt-4o',
    path: '/v1/chat/completions',
    status: 200,
    same_text: 1,
    same_tools: 1,
    same_finish: 1,
    same_usage: 1,
    differs: 0,
    quota: 0,
    second_quota: 0,
    spent: 0,
    prompt_tokens: 0,
    completion_tokens: 0,
    second_prompt_tokens: 0,
    second_completion_tokens: 0,
    took_ms: 0,
    second_ms: 0,
    content_cipher: secrets.encrypt('capture', JSON.stringify(texts)),
  })
