import { insertReturningId } from '#server/db/dialect.ts'
import type { ModuleRights } from '#server-test/rights/module-rights.ts'
import { now } from '#server-test/rights/people/now.ts'
import '../server/tables.ts'

const change = { name: 'a', url: 'https://1.1.1.1/hook', events: ['batch.completed'], enabled: true }

export const rights: ModuleRights = {
  kinds: {
    own: ['GET /api/webhooks', 'POST /api/webhooks'],
    owned: [
      'PUT /api/webhooks/:id',
      'DELETE /api/webhooks/:id',
      'POST /api/webhooks/:id/secret',
      'POST /api/webhooks/:id/test',
      'GET /api/webhooks/:id/deliveries',
      'POST /api/webhooks/:id/deliveries/:delivery',
    ],
  },
  give: async (query, secrets, userId) => {
    const webhookId = await insertReturningId(query, 'webhook_endpoints', {
      user_id: userId,
      name: 'an endpoint',
      url: change.url,
      events: 'batch.completed',
      enabled: 0,
      secret_cipher: secrets.encrypt('webhook', 'whsec_AAAA'),
      created_time: now(),
    })
    const deliveryId = await insertReturningId(query, 'webhook_deliveries', {
      endpoint_id: webhookId,
      user_id: userId,
      event_id: `evt_${userId}`,
      event: 'batch.completed',
      object_id: 'batch_1',
      body: '{}',
      state: 'delivered',
      next_time: now(),
      queued_time: now(),
      created_time: now(),
      attempts: 1,
      status: 200,
      error_code: '',
      error_params: '{}',
      last_error: '',
    })
    return { webhookId, deliveryId }
  },
  bodies: { 'POST /api/webhooks': () => change, 'PUT /api/webhooks/:id': () => change },
  ids: [['/api/webhooks/', 'webhookId']],
  params: { ':delivery': 'deliveryId' },
  needsOutside: ['POST /api/webhooks/:id/test', 'POST /api/webhooks/:id/deliveries/:delivery'],
  columns: {
    'webhook_endpoints.events': 'batch.completed',
    'webhook_deliveries.state': 'delivered',
    'webhook_deliveries.error_params': '{}',
  },
  ofUsers: ['webhook_endpoints', 'webhook_deliveries'],
  untraced: {
    'POST /api/webhooks/:id/test': 'changes nothing but the list of deliveries',
    'POST /api/webhooks/:id/deliveries/:delivery': 'changes nothing but the list of deliveries',
  },
  unaware: [
    'GET /api/webhooks',
    'POST /api/webhooks',
    'PUT /api/webhooks/:id',
    'DELETE /api/webhooks/:id',
    'POST /api/webhooks/:id/secret',
    'POST /api/webhooks/:id/test',
    'GET /api/webhooks/:id/deliveries',
    'POST /api/webhooks/:id/deliveries/:delivery',
  ],
}
