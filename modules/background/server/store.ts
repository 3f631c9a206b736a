import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { insertReturningId } from '#server/db/dialect.ts'
import { isObject, type JsonObject, parsedJson } from '#server/dialects/conversation/json.ts'
import type { TimedWork } from '#server/gateway/deadlines/deadline-calls.ts'
import { type OpenJobs, readOpenJobs } from '#server/jobs/job-figures.ts'
import type { JobStore } from '#server/jobs/job-store.ts'
import { type JobRow, openRowClaims, type RowClaim } from '#server/jobs/row-claims.ts'
import { type Clock, unixSeconds } from '#server/lib/clock.ts'
import type { Secrets } from '#server/lib/security/secrets.ts'
import type { StoredOwner } from '#server/relay/stored/ports.ts'
import './tables.ts'

/** A call as its client sent it, without what identified its key. */
export interface BackgroundRequest {
  /** Of the call that was answered with `queued`: its charge has the same. */
  readonly requestId: string
  readonly owner: StoredOwner
  readonly path: string
  readonly query: string
  readonly ip: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: JsonObject
  /** Set where it must be done by a deadline. */
  readonly timed?: TimedWork
}

export type BackgroundRow = JobRow<'background_answers'>

export interface BackgroundStore {
  readonly jobs: JobStore<BackgroundRow, RowClaim>
  add(responseId: string, request: BackgroundRequest): Promise<void>
  /** The request of a row; undefined where it cannot be read any more. */
  requestOf(row: BackgroundRow): BackgroundRequest | undefined
  /** Responses that are not over, for metrics. */
  openJobs(): Promise<OpenJobs>
  /** Responses of a user that are not over. */
  openOf(userId: number): Promise<number>
  /** Cancels a response whose end is not being written; false for others. */
  cancel(responseId: string): Promise<boolean>
  /** True while a response is not cancelled. */
  isOpen(id: number): Promise<boolean>
  /** From now on a response cannot be cancelled; false where it was. */
  beginEnd(id: number): Promise<boolean>
  /** Gives a claimed row back until a moment, in milliseconds since 1970, with so many attempts counted; nothing once another process has it. */
  postpone(
    id: number,
    claim: Pick<RowClaim, 'until'>,
    next: { readonly at: number; readonly attempts: number },
  ): Promise<void>
}

/** Seconds for which a process has a response, unless it prolongs them. */
const leaseSeconds = 30

export const openBackgroundStore = (parts: { database: Database; secrets: Secrets; clock: Clock }): BackgroundStore => {
  const { database, secrets, clock } = parts
  const { query } = database

  const isOpen = async (id: number): Promise<boolean> => {
    const row = await query.selectFrom('background_answers').select('state').where('id', '=', id).executeTakeFirst()
    return row !== undefined && row.state !== 'cancelled'
  }

  return {
    jobs: openRowClaims({
      database,
      table: 'background_answers',
      time: 'due_time',
      leaseSeconds,
      counted: { attempts: 'attempts', error: 'error' },
      deletesDone: true,
      clock,
    }),

    async add(responseId, request) {
      const now = unixSeconds(clock)
      await insertReturningId(query, 'background_answers', {
        response_id: responseId,
        user_id: request.owner.userId,
        token_id: request.owner.tokenId,
        state: 'open',
        due_time: now,
        attempts: 0,
        error: null,
        created_time: now,
        request_cipher: secrets.encrypt('stored_object', JSON.stringify(request)),
      })
    },

    requestOf({ request_cipher: cipher }) {
      const request = parsedJson(secrets.decrypt('stored_object', cipher))
      return isObject(request) && isObject(request.body) ? (request as unknown as BackgroundRequest) : undefined
    },

    openJobs: () =>
      readOpenJobs(query, {
        table: 'background_answers',
        state: sql<string>`case when attempts = 0 then 'queued' else 'in_progress' end`,
        where: sql`1 = 1`,
      }),

    async openOf(userId) {
      const row = await query
        .selectFrom('background_answers')
        .select((on) => on.fn.countAll<number>().as('open'))
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return Number(row?.open ?? 0)
    },

    async cancel(responseId) {
      const now = unixSeconds(clock)
      const result = await query
        .updateTable('background_answers')
        .set(({ case: when, ref }) => ({
          state: 'cancelled',
          // One that waits for a later moment ends now; one under way ends with its lease.
          due_time: when()
            .when('due_time', '>', now + leaseSeconds)
            .then(now)
            .else(ref('due_time'))
            .end(),
        }))
        .where('response_id', '=', responseId)
        .where('state', '=', 'open')
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },

    isOpen,

    async beginEnd(id) {
      await query
        .updateTable('background_answers')
        .set({ state: 'ending' })
        .where('id', '=', id)
        .where('state', '=', 'open')
        .execute()
      return isOpen(id)
    },

    async postpone(id, { until }, { at, attempts }) {
      const due = Math.ceil(at / 1000)
      await query
        .updateTable('background_answers')
        // Another value than the claim has written: the end of the claim leaves the row alone then.
        .set({ due_time: due === until ? due + 1 : due, attempts })
        .where('id', '=', id)
        .where('due_time', '=', until)
        .execute()
    },
  }
}
