import { DeliveryFailure, type PostWebhook } from '#server/features/notices/webhook.ts'
import { growingPauses, pauseAfter } from '#server/jobs/job-policy.ts'
import { type JobRunner, type JobTimes, openJobRunner } from '#server/jobs/runner.ts'
import { AppError } from '#server/lib/app-error.ts'
import { unixSeconds } from '#server/lib/clock.ts'
import type { Secrets } from '#server/lib/security/secrets.ts'
import { signedHeaders, webhookKey } from '#server/lib/security/webhook-signature.ts'
import type { Attempt, Deliveries, DeliveryRow } from './deliveries.ts'

export interface DeliverParts extends JobTimes {
  readonly deliveries: Deliveries
  readonly secrets: Pick<Secrets, 'decrypt'>
  readonly post: PostWebhook
  /** Called with what became of each attempt. */
  readonly attempted: (outcome: 'delivered' | 'failed' | 'given_up') => void
}

const atOnce = 16
const ofEndpoint = 2
/** 10 s, 30 s, 90 s and so on, up to six hours. */
const pauses = growingPauses({ first: 10, growth: 3, longest: 21_600 })
/** Seconds for which an event is tried. */
const triedFor = 3 * 86_400

const failedAttempt = (error: unknown): Attempt => {
  const known = error instanceof DeliveryFailure ? error.error : new AppError('internal_error', { cause: error })
  const { status } = known.params
  return { status: typeof status === 'number' ? status : 0, error: known }
}

/** Delivers events, on whichever node is first, until their endpoints answer 2xx or three days are over. */
export const openDelivering = (parts: DeliverParts): JobRunner<DeliveryRow> => {
  const { deliveries, secrets, post, clock } = parts

  const send = async (row: DeliveryRow): Promise<number> => {
    const endpoint = await deliveries.endpointOf(row)
    if (endpoint === undefined || endpoint.enabled === 0) throw new DeliveryFailure(new AppError('webhook_off'))
    const key = webhookKey(secrets.decrypt('webhook', endpoint.secret_cipher))
    const message = { id: row.event_id, timestamp: unixSeconds(clock), body: row.body }
    return post({ url: endpoint.url, headers: signedHeaders(key, message), body: row.body })
  }

  const attempt = (row: DeliveryRow): Promise<Attempt> =>
    send(row).then((status) => ({ status, error: undefined }), failedAttempt)

  return openJobRunner({
    store: deliveries.jobs,
    atOnce,
    keys: { keyOf: ({ endpoint_id }) => String(endpoint_id), atOnce: ofEndpoint, paceMs: 0 },
    retry: { pauses },
    everyMs: parts.everyMs,
    failed: parts.failed,
    clock,
    async work(row, { claim }) {
      const made = await attempt(row)
      const { error } = made
      if (error === undefined) {
        await deliveries.end(row, claim, 'delivered', made)
        parts.attempted('delivered')
        return
      }
      const next = unixSeconds(clock) + pauseAfter(pauses, claim.attempts)
      if (error.code === 'webhook_off' || next > row.queued_time + triedFor) {
        await deliveries.end(row, claim, 'failed', made)
        parts.attempted('given_up')
        return
      }
      await deliveries.failed(row, made, next)
      parts.attempted('failed')
      throw error
    },
  })
}
