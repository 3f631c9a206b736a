import { createHash } from 'node:crypto'
import { type WebhookEvent, webhookEvents } from '@tollgate/contract'
import type { JobEnd } from '#server/jobs/job-ends.ts'

/** An event as it is sent, in the shape of OpenAI's webhooks. */
export interface WrittenEvent {
  readonly event_id: string
  readonly event: WebhookEvent
  readonly object_id: string
  readonly body: string
}

/** A job ends once, so its id names the event. */
const idOf = ({ kind, id }: JobEnd): string =>
  `evt_${createHash('sha256').update(`${kind} ${id}`).digest('hex').slice(0, 32)}`

const written = (event_id: string, event: WebhookEvent, about: { object_id: string; at: number }): WrittenEvent => {
  const { object_id, at } = about
  const body = JSON.stringify({ id: event_id, object: 'event', created_at: at, type: event, data: { id: object_id } })
  return { event_id, event, object_id, body }
}

/** The event of an end; `at` in unix seconds. */
export const eventOf = (end: JobEnd, at: number): WrittenEvent =>
  written(idOf(end), `${end.kind}.${end.outcome}` as WebhookEvent, { object_id: end.id, at })

/** An event about nothing, to try an endpoint. */
export const testEvent = (event: WebhookEvent, id: string, at: number): WrittenEvent =>
  written(`evt_test_${id}`, event, { object_id: 'test', at })

/** Events in a comma list; names of other versions are left out. */
export const eventsIn = (list: string): WebhookEvent[] => {
  const names = new Set(list.split(','))
  return webhookEvents.filter((event) => names.has(event))
}
