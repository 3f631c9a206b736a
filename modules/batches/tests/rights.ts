import { insertReturningId } from '#server/db/dialect.ts'
import type { ModuleRights } from '#server-test/rights/module-rights.ts'
import type { Line } from '#server-test/rights/organisations/lines.ts'
import { rows } from './full-rows.ts'

const planted: Line = { outcome: 'refused', ids: ({ rows: own }) => [own.get('batches') ?? 0] }

const ended = Math.floor(Date.now() / 1000)

export const rights: ModuleRights = {
  kinds: {
    own: ['GET /api/batch/self/browse', 'GET /api/batch/self/facets'],
    owned: [
      'GET /api/organisation/:id/batches',
      'POST /api/batch/self/:id/cancel',
      'POST /api/batch/self/:id/retry',
      'GET /api/batch/self/:id/results',
    ],
    site: ['GET /api/batch/browse', 'GET /api/batch/facets', 'POST /api/batch/:id/cancel'],
  },
  /** An ended batch, whose results are stored with it, and one under way that no runner takes for a day. */
  give: async (query, secrets, userId) => {
    const of = {
      ...rows.batches,
      object_id: `given${userId}`,
      form: 'anthropic',
      state: 'completed',
      user_id: userId,
      token_id: 0,
      project_id: 0,
      member_id: 0,
      endpoint: '/v1/messages',
      model: '',
      settings: '{}',
      input_file: '',
      output_file: '',
      error_file: '',
      errors: '[]',
      total: 1,
      succeeded: 1,
      failed: 0,
      skipped: 0,
      created_time: ended,
      ended_time: ended,
      hidden: 0,
      error: '',
      quota: 0,
    } as const
    const batchId = await insertReturningId(query, 'batches', of)
    await insertReturningId(query, 'batch_chunks', {
      batch_id: batchId,
      kind: 'output',
      place: 1,
      lines: '1',
      last_line: 1,
      content_cipher: secrets.encrypt('batch_chunk', '{"custom_id":"a","result":{"type":"succeeded"}}\n'),
    })
    const going = {
      ...of,
      object_id: `going${userId}`,
      state: 'in_progress',
      cancelling_time: 0,
      next_time: ended + 86_400,
    } as const
    const openBatchId = await insertReturningId(query, 'batches', { ...going, succeeded: 0, ended_time: 0 })
    return { batchId, openBatchId }
  },
  ids: [
    ['/api/batch/self/', 'batchId'],
    ['/api/batch/', 'openBatchId'],
  ],
  queries: { 'GET /api/batch/self/:id/results': { kind: 'output' } },
  empty: ['GET /api/batch/self/browse', 'GET /api/batch/self/facets'],
  columns: { 'batches.form': 'openai', 'batches.state': 'completed', 'batches.errors': '[]' },
  organisations: {
    lines: {
      'GET /api/organisation/:id/batches': { outcome: 'refused', ids: ({ id }) => [id] },
      'POST /api/batch/self/:id/cancel': planted,
      'POST /api/batch/self/:id/retry': planted,
      'GET /api/batch/self/:id/results': planted,
    },
    seenByOwner: ['batcheobjectid'],
    insidersOf: (kind) => (kind.startsWith('batche') ? ['owner', 'admin', 'billing', 'team admin'] : undefined),
  },
}
