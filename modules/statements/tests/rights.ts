import type { ModuleRights } from '#server-test/rights/module-rights.ts'

export const rights: ModuleRights = {
  kinds: {
    own: ['GET /api/statement/self', 'GET /api/statement/self/export'],
    user: ['GET /api/statement/user/:id', 'GET /api/statement/user/:id/export'],
    site: ['GET /api/statement/site', 'GET /api/statement/site/export'],
  },
  userIds: ['/api/statement/user/'],
  empty: ['GET /api/statement/self', 'GET /api/statement/self/export'],
}
