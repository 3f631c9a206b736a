import { client } from '@tollgate/contract/errors/error-text'
import type { ModuleData } from '@tollgate/contract/modules/module-data'

/** Webhooks to users at the end of work that no client waits for: responses in the background, batches, videos. */
export const module = {
  areas: [],
  ownAreas: [['/api/webhooks', 'own_account']],
  smallTables: ['webhook_endpoints'],
  logEvents: {
    webhook_delivery_late: 'Webhooks of users could not be delivered, such as without the database; it is tried again.',
  },
  errors: {
    webhook_not_found: client(404, 'Webhook 端点不存在', 'There is no such webhook endpoint'),
    webhook_delivery_not_found: client(404, '投递记录不存在', 'There is no such delivery'),
    webhooks_full: client(409, 'Webhook 端点最多 {most} 个', 'There are {most} webhook endpoints, which is the most'),
    webhook_off: client(409, 'Webhook 端点已停用', 'The webhook endpoint is switched off'),
  },
} as const satisfies ModuleData
