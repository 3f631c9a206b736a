import type { ModuleRights } from '#server-test/rights/module-rights.ts'

export const rights: ModuleRights = {
  kinds: {
    own: ['GET /api/mj/self', 'GET /api/mj/self/browse', 'GET /api/mj/self/facets'],
    owned: ['GET /api/organisation/:id/drawings', 'GET /api/mj/image/:id'],
    site: ['GET /api/mj/', 'GET /api/mj/browse', 'GET /api/mj/facets'],
  },
  needsOutside: ['GET /api/mj/image/:id'],
  empty: ['GET /api/mj/self', 'GET /api/mj/self/browse', 'GET /api/mj/self/facets'],
  organisations: {
    lines: {
      'GET /api/organisation/:id/drawings': { outcome: 'refused', ids: ({ id }) => [id] },
      'GET /api/mj/image/:id': { outcome: 'refused', ids: ({ rows }) => [rows.get('midjourneys') ?? 0] },
    },
    seenByOwner: ['midjourneymjid'],
    insidersOf: (kind) => (kind.startsWith('midjourney') ? ['owner', 'admin', 'billing', 'team admin'] : undefined),
  },
}
