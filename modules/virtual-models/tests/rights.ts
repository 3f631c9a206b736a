import { insertReturningId } from '#server/db/dialect.ts'
import type { ModuleRights } from '#server-test/rights/module-rights.ts'
import { now } from '#server-test/rights/people/now.ts'

const steps = [{ targets: [{ model: 'gpt-4o' }] }]

/** A virtual model of any name. */
const anyModel = () => ({ steps, name: `v${Math.random().toString(36).slice(2, 8)}` })

export const rights: ModuleRights = {
  kinds: {
    site: [
      'POST /api/virtual-models',
      'PUT /api/virtual-models/:id',
      'DELETE /api/virtual-models/:id',
      'POST /api/virtual-models/preview',
    ],
  },
  give: async (query, _, userId) => ({
    virtualModelId: await insertReturningId(query, 'virtual_models', {
      name: `virtual-p${userId}`,
      spec: JSON.stringify({ steps }),
      changed_time: now(),
    }),
  }),
  bodies: { 'POST /api/virtual-models': anyModel, 'PUT /api/virtual-models/:id': anyModel },
  ids: [['/api/virtual-models/', 'virtualModelId']],
  edits: {
    'a virtual model': (pick) => ({
      method: 'POST',
      path: 'virtual-models',
      body: { name: pick % 2 === 0 ? 'clever' : 'gpt-4o-mini', steps },
    }),
    'another virtual model': (pick, { inModules }) => ({
      method: 'PUT',
      path: `virtual-models/${inModules.virtualModelId}`,
      body: { name: 'gpt-4o', steps: [{ targets: [{ model: 'gpt-4o-mini' }] }], enabled: pick % 2 === 0 },
    }),
    'a virtual model that goes': (_, { inModules }) => ({
      method: 'DELETE',
      path: `virtual-models/${inModules.virtualModelId}`,
      body: undefined,
    }),
  },
}
