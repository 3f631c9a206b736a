import { setTimeout as sleep } from 'node:timers/promises'
import type { JoinModule } from '#server/app/modules/module-kit.ts'
import { createWebhookPost } from '#server/features/notices/webhook.ts'
import { webhookParts } from '#server/features/notices/webhook-parts.ts'
import { every } from '#server/jobs/every.ts'
import { openDelivering } from './deliver.ts'
import { openDeliveries } from './deliveries.ts'
import { openEndpoints } from './endpoints.ts'
import { webhookRoutes } from './routes.ts'

const workEveryMs = 5_000
const purgeEveryMs = 3_600_000
const timeoutMs = 15_000
/** An endpoint that is silent while the process is asked to stop is not waited for any longer; the event comes again. */
const closeTimeoutMs = 5_000

/** Joins webhooks of users: their endpoints in the console, and the deliveries of what has ended. */
export const join: JoinModule = (kit) => {
  const { config, database, secrets, audit, clock, jobEnds, jobFigures, limiter, log, on } = kit
  const ways = { ...webhookParts(kit), timeoutMs }
  const deliveries = openDeliveries({ database, clock })
  const failed = (error: unknown): void => log.warn('webhook_delivery_late', { error })
  const delivering = openDelivering({
    deliveries,
    secrets,
    post: createWebhookPost(ways),
    attempted: jobFigures.countDelivery,
    everyMs: workEveryMs,
    failed,
    clock,
  })
  const { wake } = delivering
  jobFigures.add('webhook', deliveries.openJobs)
  jobEnds.listen({ write: deliveries.write, ended: wake })
  const endpoints = openEndpoints({ database, secrets, egress: ways.egress, audit, clock })
  webhookRoutes(on, { endpoints, deliveries, limiter, clock, wake })
  const stopPurging = config.isSlave ? () => {} : every(purgeEveryMs, deliveries.purge, failed)
  return {
    async close() {
      stopPurging()
      await Promise.race([delivering.stop(), sleep(closeTimeoutMs, undefined, { ref: false })])
    },
  }
}
