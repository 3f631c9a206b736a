import { endpoint } from '@tollgate/contract/endpoint'
import { idParams } from '@tollgate/contract/page'
import { z } from 'zod'

export const mostWebhooks = 10
export const longestWebhookName = 60
export const longestWebhookUrl = 2000

/** Events by the names of OpenAI's webhooks (platform.openai.com/docs/api-reference/webhook-events). */
export const webhookEvents = [
  'response.completed',
  'response.failed',
  'response.cancelled',
  'response.incomplete',
  'batch.completed',
  'batch.failed',
  'batch.expired',
  'batch.cancelled',
  'video.completed',
  'video.failed',
] as const
export type WebhookEvent = (typeof webhookEvents)[number]

export const webhookChange = z.object({
  name: z.string().trim().min(1).max(longestWebhookName),
  url: z.string().trim().min(1).max(longestWebhookUrl),
  events: z.array(z.enum(webhookEvents)).min(1).max(webhookEvents.length),
  enabled: z.boolean(),
})
export type WebhookChange = z.output<typeof webhookChange>

export const webhook = webhookChange.extend({ id: z.int(), created_time: z.int() })
export type Webhook = z.output<typeof webhook>

/** The secret is shown once. */
export const webhookWithSecret = webhook.extend({ secret: z.string() })

export const webhookDelivery = z.object({
  id: z.int(),
  /** The header `webhook-id`, the same at each attempt. */
  event_id: z.string(),
  event: z.string(),
  /** Id of what has ended. */
  object_id: z.string(),
  state: z.enum(['waiting', 'delivered', 'failed']),
  attempts: z.int(),
  /** HTTP status of the last attempt; 0 where there was no answer. */
  status: z.int(),
  /** Why the last attempt failed; null where it did not. */
  error: z
    .object({
      code: z.string(),
      params: z.record(z.string(), z.union([z.string(), z.number()])),
      /** In the language of the caller. */
      text: z.string(),
    })
    .nullable(),
  created_time: z.int(),
  /** Of the next attempt while it waits, else of the end. */
  time: z.int(),
})
export type WebhookDelivery = z.output<typeof webhookDelivery>

export const listWebhooks = endpoint({
  method: 'GET',
  path: '/api/webhooks',
  access: 'user',
  summary: 'Own webhook endpoints',
  data: z.array(webhook),
})

export const createWebhook = endpoint({
  method: 'POST',
  path: '/api/webhooks',
  access: 'user',
  summary:
    'Adds an endpoint that is called when own background responses, batches or videos end; answers its secret once',
  body: webhookChange,
  data: webhookWithSecret,
})

export const updateWebhook = endpoint({
  method: 'PUT',
  path: '/api/webhooks/:id',
  access: 'user',
  summary: 'Changes an own webhook endpoint',
  params: idParams,
  body: webhookChange,
  data: webhook,
})

export const deleteWebhook = endpoint({
  method: 'DELETE',
  path: '/api/webhooks/:id',
  access: 'user',
  summary: 'Deletes an own webhook endpoint and its deliveries',
  params: idParams,
})

export const rotateWebhookSecret = endpoint({
  method: 'POST',
  path: '/api/webhooks/:id/secret',
  access: 'user',
  summary: 'Makes a new secret for an own webhook endpoint, which signs from now on; answers it once',
  params: idParams,
  data: webhookWithSecret,
})

export const testWebhook = endpoint({
  method: 'POST',
  path: '/api/webhooks/:id/test',
  access: 'user',
  summary: 'Sends a test event to an own webhook endpoint',
  params: idParams,
  data: webhookDelivery,
})

export const listWebhookDeliveries = endpoint({
  method: 'GET',
  path: '/api/webhooks/:id/deliveries',
  access: 'user',
  summary: 'The last 50 deliveries of an own webhook endpoint, newest first',
  params: idParams,
  data: z.array(webhookDelivery),
})

export const resendWebhookDelivery = endpoint({
  method: 'POST',
  path: '/api/webhooks/:id/deliveries/:delivery',
  access: 'user',
  summary: 'Delivers an event again, under the same id',
  params: idParams.extend({ delivery: z.coerce.number().int().positive() }),
  data: webhookDelivery,
})
