import { type Kysely, type SqlBool, sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { upsert } from '#server/db/dialect.ts'
import type { Tables } from '#server/db/schema.ts'
import type { JobEnd } from '#server/jobs/job-ends.ts'
import { type OpenJobs, readOpenJobs } from '#server/jobs/job-figures.ts'
import type { JobStore } from '#server/jobs/job-store.ts'
import { type JobRow, openRowClaims, type RowClaim } from '#server/jobs/row-claims.ts'
import { AppError } from '#server/lib/app-error.ts'
import { type Clock, unixSeconds } from '#server/lib/clock.ts'
import type { EndpointRow } from './endpoints.ts'
import { eventOf, eventsIn, type WrittenEvent } from './events.ts'
import './tables.ts'

export type DeliveryRow = JobRow<'webhook_deliveries'>

/** How an attempt went. */
export interface Attempt {
  readonly status: number
  readonly error: AppError | undefined
}

export interface Deliveries {
  readonly jobs: JobStore<DeliveryRow, RowClaim>
  /** Writes the event of an end for each endpoint that wants it; a repeat writes nothing. */
  write(on: Kysely<Tables>, end: JobEnd): Promise<void>
  /** Writes an event for one endpoint. */
  add(endpoint: EndpointRow, event: WrittenEvent): Promise<DeliveryRow>
  /** Newest first. */
  list(endpoint: EndpointRow): Promise<readonly DeliveryRow[]>
  /** Makes one due again, with all its attempts. Throws AppError `webhook_delivery_not_found`. */
  again(endpoint: EndpointRow, id: number): Promise<DeliveryRow>
  endpointOf(row: DeliveryRow): Promise<EndpointRow | undefined>
  /** Notes an attempt that failed. Other deliveries that are due at the same endpoint wait as long: one that is away is called rarely. */
  failed(row: DeliveryRow, attempt: Attempt, nextTime: number): Promise<void>
  end(row: DeliveryRow, claim: Pick<RowClaim, 'until'>, state: 'delivered' | 'failed', attempt: Attempt): Promise<void>
  /** Deliveries that wait, for metrics. */
  openJobs(): Promise<OpenJobs>
  /** Deletes deliveries that ended long ago. */
  purge(): Promise<void>
}

const listed = 50
const leaseSeconds = 60
const day = 86_400
const endedDays = 30

/** The person whose endpoints an end is for: the member of a key of an organisation, else the owner; 0 for keys of machines. */
const readerOf = ({ userId, projectId, memberId }: JobEnd['maker']): number => (projectId === 0 ? userId : memberId)

const columnsOf = ({ status, error }: Attempt) => ({
  status,
  error_code: error?.code ?? '',
  error_params: JSON.stringify(error?.params ?? {}),
})

export const openDeliveries = ({ database, clock }: { database: Database; clock: Clock }): Deliveries => {
  const { query } = database
  const now = (): number => unixSeconds(clock)
  const waiting = sql<SqlBool>`state = 'waiting'`

  const addTo = async (
    on: Kysely<Tables>,
    endpoints: readonly Pick<EndpointRow, 'id' | 'user_id'>[],
    event: WrittenEvent,
  ) => {
    const rows = endpoints.map(({ id, user_id }) => ({
      endpoint_id: id,
      user_id,
      ...event,
      state: 'waiting' as const,
      next_time: now(),
      queued_time: now(),
      created_time: now(),
      attempts: 0,
      status: 0,
      error_code: '',
      error_params: '{}',
      last_error: '',
    }))
    await upsert(on, 'webhook_deliveries', rows, { key: ['endpoint_id', 'event_id'], set: ['event_id'] })
  }

  const of = (endpoint: EndpointRow) =>
    query.selectFrom('webhook_deliveries').selectAll().where('endpoint_id', '=', endpoint.id)

  return {
    jobs: openRowClaims({
      database,
      table: 'webhook_deliveries',
      time: 'next_time',
      leaseSeconds,
      where: waiting,
      counted: { attempts: 'attempts', error: 'last_error' },
      clock,
    }),

    async write(on, end) {
      const userId = readerOf(end.maker)
      if (userId === 0) return
      const endpoints = await on
        .selectFrom('webhook_endpoints')
        .select(['id', 'user_id', 'events'])
        .where('user_id', '=', userId)
        .where('enabled', '=', 1)
        .execute()
      const event = eventOf(end, now())
      await addTo(
        on,
        endpoints.filter(({ events }) => eventsIn(events).includes(event.event)),
        event,
      )
    },

    async add(endpoint, event) {
      await addTo(query, [endpoint], event)
      return of(endpoint).where('event_id', '=', event.event_id).executeTakeFirstOrThrow()
    },

    list: (endpoint) => of(endpoint).orderBy('id', 'desc').limit(listed).execute(),

    async again(endpoint, id) {
      const row = await of(endpoint).where('id', '=', id).executeTakeFirst()
      if (row === undefined) throw new AppError('webhook_delivery_not_found')
      // One that is under way is sent once more.
      const attempts = row.state === 'waiting' ? row.attempts : 0
      const change = { state: 'waiting' as const, attempts, next_time: now(), queued_time: now() }
      await query
        .updateTable('webhook_deliveries')
        .set(change)
        .where('id', '=', id)
        .where('next_time', '=', row.next_time)
        .execute()
      return { ...row, ...change }
    },

    endpointOf: ({ endpoint_id: id }) =>
      query.selectFrom('webhook_endpoints').selectAll().where('id', '=', id).executeTakeFirst(),

    async failed(row, attempt, nextTime) {
      await query.updateTable('webhook_deliveries').set(columnsOf(attempt)).where('id', '=', row.id).execute()
      await query
        .updateTable('webhook_deliveries')
        .set({ next_time: nextTime })
        .where('endpoint_id', '=', row.endpoint_id)
        .where('state', '=', 'waiting')
        .where('next_time', '<=', now())
        .execute()
    },

    async end(row, { until }, state, attempt) {
      await query
        .updateTable('webhook_deliveries')
        .set({ state, ...columnsOf(attempt), next_time: now() })
        .where('id', '=', row.id)
        .where('next_time', '=', until)
        .execute()
    },

    openJobs: () => readOpenJobs(query, { table: 'webhook_deliveries', state: sql<string>`state`, where: waiting }),

    async purge() {
      await query
        .deleteFrom('webhook_deliveries')
        .where('state', '!=', 'waiting')
        .where('next_time', '<', now() - endedDays * day)
        .execute()
    },
  }
}
