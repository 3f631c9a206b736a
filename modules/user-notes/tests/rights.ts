import { insertReturningId } from '#server/db/dialect.ts'
import { canary } from '#server-test/rights/canaries.ts'
import type { ModuleRights } from '#server-test/rights/module-rights.ts'
import { now } from '#server-test/rights/people/now.ts'
import '../server/tables.ts'

export const rights: ModuleRights = {
  kinds: { user: ['GET /api/user/:id/notes', 'POST /api/user/:id/notes', 'DELETE /api/user/:id/notes/:note'] },
  give: async (query, _, userId) => ({
    noteId: await insertReturningId(query, 'user_notes', {
      user_id: userId,
      author_id: 1,
      author_name: 'root',
      text: canary('usernote', userId),
      created_time: now(),
    }),
  }),
  params: { ':note': 'noteId' },
}
