import { insertReturningId } from '#server/db/dialect.ts'
import type { ModuleRights } from '#server-test/rights/module-rights.ts'
import type { Line } from '#server-test/rights/organisations/lines.ts'
import { rows } from './full-rows.ts'

const planted: Line = { outcome: 'refused', ids: ({ rows: own }) => [own.get('background_answers') ?? 0] }

const now = Math.floor(Date.now() / 1000)

export const rights: ModuleRights = {
  kinds: {
    own: ['GET /api/background/self/browse'],
    owned: ['GET /api/organisation/:id/background', 'POST /api/background/self/:id/cancel'],
    site: ['GET /api/background/browse', 'GET /api/background/facets', 'POST /api/background/:id/cancel'],
  },
  /** Two that no runner takes for a day: calls of operators and of their owner cancel one each. */
  give: async (query, secrets, userId) => {
    const of = {
      ...rows.background_answers,
      user_id: userId,
      token_id: 0,
      created_time: now,
      due_time: now + 86_400,
      request_cipher: secrets.encrypt(
        'stored_object',
        JSON.stringify({ requestId: `request-${userId}`, owner: { userId, tokenId: 0 }, body: { model: 'gpt-4o' } }),
      ),
    }
    const add = (name: string) =>
      insertReturningId(query, 'background_answers', { ...of, response_id: `resp_${name}${userId}` })
    return { backgroundId: await add('own'), otherBackgroundId: await add('site') }
  },
  ids: [
    ['/api/background/self/', 'backgroundId'],
    ['/api/background/', 'otherBackgroundId'],
  ],
  empty: ['GET /api/background/self/browse'],
  columns: { 'background_answers.state': 'open' },
  organisations: {
    lines: {
      'GET /api/organisation/:id/background': { outcome: 'refused', ids: ({ id }) => [id] },
      'POST /api/background/self/:id/cancel': planted,
    },
    seenByOwner: ['backgroundanswerresponseid'],
    insidersOf: (kind) =>
      kind.startsWith('backgroundanswer') ? ['owner', 'admin', 'billing', 'team admin'] : undefined,
  },
}
