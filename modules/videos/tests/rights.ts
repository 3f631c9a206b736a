import { insertReturningId } from '#server/db/dialect.ts'
import type { ModuleRights } from '#server-test/rights/module-rights.ts'
import type { Line } from '#server-test/rights/organisations/lines.ts'
import { rows } from './full-rows.ts'

const planted: Line = { outcome: 'refused', ids: ({ rows: own }) => [own.get('video_jobs') ?? 0] }

const ended = Math.floor(Date.now() / 1000)

export const rights: ModuleRights = {
  kinds: {
    own: ['GET /api/video/self/browse'],
    owned: ['GET /api/organisation/:id/videos', 'GET /api/video/self/:id/content', 'DELETE /api/video/self/:id'],
    site: ['GET /api/video/browse', 'GET /api/video/facets', 'GET /api/video/:id/content'],
  },
  give: async (query, _, userId) => ({
    videoId: await insertReturningId(query, 'video_jobs', {
      ...rows.video_jobs,
      public_id: `video_${userId}`,
      user_id: userId,
      token_id: 0,
      project_id: 0,
      member_id: 0,
      owner: '',
      provider: '',
      channel_id: 0,
      key_hash: '',
      upstream_id: '',
      model: '',
      prompt: '',
      size: '',
      receipt: '',
      cost: '',
      held: 0,
      state: 'completed',
      is_open: 0,
      progress: 100,
      error_code: '',
      error_message: '',
      result: '',
      created_time: ended,
      completed_time: ended,
      next_time: ended,
      is_deleted: 0,
    }),
  }),
  ids: [['/api/video/', 'videoId']],
  needsOutside: ['GET /api/video/:id/content', 'GET /api/video/self/:id/content'],
  empty: ['GET /api/video/self/browse'],
  columns: { 'video_jobs.state': 'completed' },
  organisations: {
    lines: {
      'GET /api/organisation/:id/videos': { outcome: 'refused', ids: ({ id }) => [id] },
      'GET /api/video/self/:id/content': planted,
      'DELETE /api/video/self/:id': planted,
    },
    seenByOwner: ['videojobpublicid'],
    insidersOf: (kind) => (kind.startsWith('videojob') ? ['owner', 'admin', 'billing', 'team admin'] : undefined),
  },
}
