import { insertReturningId } from '#server/db/dialect.ts'

import type { ModuleRights } from '#server-test/rights/module-rights.ts'

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
const give: ModuleRights['give'] = async (query, secrets) => ({
  dualRunId: await insertReturningId(query, 'dual_runs', {
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
  }),
})

export const rights: ModuleRights = {
  kinds: { root: ['GET /api/dual_run/', 'GET /api/dual_run/sums', 'GET /api/dual_run/:id'] },
  give,
  ids: [['/api/dual_run/', 'dualRunId']],
  edits: {
    'a dual run': (pick) => ({
      method: 'PUT',
      path: 'option/',
      body: { key: 'DualRunAddress', value: pick % 2 === 0 ? '' : 'http://198.51.100.7' },
    }),
  },
}
