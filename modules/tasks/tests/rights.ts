import type { ModuleRights } from '#server-test/rights/module-rights.ts'

export const rights: ModuleRights = {
  kinds: {
    own: ['GET /api/task/self', 'GET /api/task/self/browse', 'GET /api/task/self/facets'],
    owned: ['GET /api/organisation/:id/tasks'],
    site: ['GET /api/task/', 'GET /api/task/browse', 'GET /api/task/facets'],
  },
  empty: ['GET /api/task/self', 'GET /api/task/self/browse', 'GET /api/task/self/facets'],
  organisations: {
    lines: { 'GET /api/organisation/:id/tasks': { outcome: 'refused', ids: ({ id }) => [id] } },
    seenByOwner: ['tasktaskid'],
    insidersOf: (kind) => (kind.startsWith('task') ? ['owner', 'admin', 'billing', 'team admin'] : undefined),
  },
}
