import {
  createWebhook,
  deleteWebhook,
  listWebhookDeliveries,
  listWebhooks,
  resendWebhookDelivery,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from '@tollgate/contract'
import { actorOf } from '#server/http/actor.ts'
import type { RateLimiter } from '#server/http/limits/rate-limit.ts'
import type { On } from '#server/http/route.ts'
import { AppError } from '#server/lib/app-error.ts'
import { type Clock, unixSeconds } from '#server/lib/clock.ts'
import { randomAlphanumerics } from '#server/lib/ids.ts'
import type { Deliveries } from './deliveries.ts'
import type { EndpointRow, Endpoints } from './endpoints.ts'
import { eventsIn, testEvent } from './events.ts'
import { shownDelivery } from './present.ts'

export interface WebhookRouteParts {
  readonly endpoints: Endpoints
  readonly deliveries: Deliveries
  readonly limiter: Pick<RateLimiter, 'take'>
  readonly clock: Clock
  /** Looks for deliveries that are due. */
  readonly wake: () => void
}

/** Deliveries that a user asks for. */
const asked = { enabled: true, count: 20, seconds: 60 }

/** Own webhook endpoints, and their deliveries. */
export const webhookRoutes = (on: On, { endpoints, deliveries, limiter, clock, wake }: WebhookRouteParts): void => {
  /** An own endpoint that is called now. Throws AppError `too_many_requests` and `webhook_off`. */
  const called = async (userId: number, id: number): Promise<EndpointRow> => {
    const endpoint = await endpoints.find(userId, id)
    if (endpoint.enabled === 0) throw new AppError('webhook_off')
    if (!(await limiter.take(`WH${userId}`, asked))) throw new AppError('too_many_requests')
    return endpoint
  }

  on(listWebhooks, async ({ caller }) => ({ data: await endpoints.list(caller.id) }))
  on(createWebhook, async (call) => ({ data: await endpoints.create(actorOf(call), call.body) }))
  on(updateWebhook, async (call) => ({ data: await endpoints.update(actorOf(call), call.params.id, call.body) }))
  on(deleteWebhook, async (call) => {
    await endpoints.remove(actorOf(call), call.params.id)
    return {}
  })
  on(rotateWebhookSecret, async (call) => ({ data: await endpoints.rotate(actorOf(call), call.params.id) }))
  on(testWebhook, async ({ caller, params, language }) => {
    const endpoint = await called(caller.id, params.id)
    const event = eventsIn(endpoint.events)[0] ?? 'response.completed'
    const added = await deliveries.add(endpoint, testEvent(event, randomAlphanumerics(24), unixSeconds(clock)))
    wake()
    return { data: shownDelivery(added, language) }
  })
  on(listWebhookDeliveries, async ({ caller, params, language }) => {
    const rows = await deliveries.list(await endpoints.find(caller.id, params.id))
    return { data: rows.map((row) => shownDelivery(row, language)) }
  })
  on(resendWebhookDelivery, async ({ caller, params, language }) => {
    const row = await deliveries.again(await called(caller.id, params.id), params.delivery)
    wake()
    return { data: shownDelivery(row, language) }
  })
}
