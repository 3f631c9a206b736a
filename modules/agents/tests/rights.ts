import type { ModuleRights } from '#server-test/rights/module-rights.ts'

export const rights: ModuleRights = {
  kinds: { own: ['GET /api/agents/setups'] },
  queries: { 'GET /api/agents/setups': { token: '0' } },
  empty: ['GET /api/agents/setups'],
}
