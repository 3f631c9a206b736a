import { randomBytes } from 'node:crypto'
import { type Insertable, sql, type UpdateObject } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { insertReturningId } from '#server/db/dialect.ts'
import { madeBy } from '#server/db/made-by.ts'
import type { Tables } from '#server/db/schema.ts'
import type { JobEnds } from '#server/jobs/job-ends.ts'
import { type OpenJobs, readOpenJobs } from '#server/jobs/job-figures.ts'
import type { JobStore } from '#server/jobs/job-store.ts'
import { askedLook, noLaterThan, unlessNudged } from '#server/jobs/nudges.ts'
import { openRowClaims, type RowClaim } from '#server/jobs/row-claims.ts'
import { heldForS, openRowHolds, type RowHolds } from '#server/jobs/row-holds.ts'
import { shortText } from '#server/lib/bounded-text.ts'
import { type Clock, unixSeconds } from '#server/lib/clock.ts'
import type { JobOwner } from '#server/relay/provider-jobs/ports.ts'
import type { Maker, Reader } from '#server/relay/reader.ts'
import type { VideoJobsTable } from './tables.ts'
import { jobOf, type VideoJob, type VideoRow } from './video.ts'

export interface NewVideo {
  readonly maker: Maker
  readonly owner: JobOwner
  readonly model: string
  readonly prompt: string
  readonly durationMs: number
  readonly size: string
  readonly remixedFrom: string
  readonly held: number
}

export type AcceptedVideo = Pick<
  VideoJobsTable,
  | 'provider'
  | 'channel_id'
  | 'key_hash'
  | 'upstream_id'
  | 'upstream_model'
  | 'duration_ms'
  | 'size'
  | 'receipt'
  | 'cost'
>

export type CompletedVideo = Pick<VideoJobsTable, 'duration_ms' | 'result' | 'expires_time'>

export interface VideoList {
  readonly after?: string | undefined
  readonly limit: number
  readonly order: 'asc' | 'desc'
}

export interface VideoStore {
  /** Videos whose provider is to be asked now. */
  readonly jobs: JobStore<VideoRow, RowClaim>
  readonly holds: RowHolds<VideoJob>
  /** Writes one that no provider was asked for yet. */
  add(video: NewVideo): Promise<VideoRow>
  /** A provider has it, and calls when it changes or does not. False where it has ended meanwhile. */
  accepted(id: number, video: AcceptedVideo, calls: boolean): Promise<boolean>
  /** Its provider has called: it is asked now, or some seconds after it was asked for the same reason. */
  nudge(publicId: string): Promise<'due' | 'later' | 'unknown'>
  /** No provider has begun it. */
  drop(id: number): Promise<void>
  isOpen(id: number): Promise<boolean>
  /** Its charge is in the journal. */
  complete(id: number, video: CompletedVideo): Promise<void>
  /** It has ended, and costs nothing. False where it had ended before. */
  fail(id: number, error: { readonly code: string; readonly message: string }): Promise<boolean>
  /** It goes on: its state, and when its provider is asked again (milliseconds since 1970); at once where the provider has called since the row was read. */
  later(
    row: Pick<VideoRow, 'id' | 'nudged_time'>,
    change: Partial<Pick<VideoJobsTable, 'state' | 'progress'>> & {
      readonly nextAt: number
      readonly attempts: number
    },
  ): Promise<void>
  /** The content of a finished one is at another place now. */
  moved(id: number, result: string): Promise<void>
  /** One that the key may read; undefined for all others. */
  find(publicId: string, reader: Reader): Promise<VideoRow | undefined>
  /** The same by the provider's id, at a channel or at any; undefined for all others. */
  findNative(
    video: { readonly provider: string; readonly upstreamId: string; readonly channelId?: number | undefined },
    reader: Reader,
  ): Promise<VideoRow | undefined>
  list(reader: Reader, list: VideoList): Promise<{ readonly rows: readonly VideoRow[]; readonly hasMore: boolean }>
  remove(id: number): Promise<void>
  /** Videos that have not ended, for metrics. */
  openJobs(): Promise<OpenJobs>
  /** Deletes what is of no use any more. */
  purge(): Promise<void>
}

const day = 86_400
/** Days that finished videos are listed. */
const endedDays = 90
/** Seconds that a submission may take, with all its attempts, before it counts as broken off. */
export const submissionS = 1_200
/** Seconds until a provider is asked for the first time: one that does not call, and one that does. */
const firstLookS = 5
const firstLookAfterCallS = 15
/** A look ends within half a minute; a video whose process died is looked at again after this. */
const leaseSeconds = 45
const longestMessage = 1_000
const longestCode = 100

const isOpen = sql`is_open = 1`

/** Videos in the database, for all nodes. */
export const openVideoStore = ({
  database,
  jobEnds,
  clock,
  holder,
}: {
  readonly database: Database
  readonly jobEnds: JobEnds
  readonly clock: Clock
  /** Names this process among all that share the database. */
  readonly holder: string
}): VideoStore => {
  const { query } = database
  const now = (): number => unixSeconds(clock)
  const rows = () => query.selectFrom('video_jobs').selectAll()

  /** Changes a row that is open; false where it is not. */
  const change = async (id: number, set: UpdateObject<Tables, 'video_jobs'>): Promise<boolean> => {
    const { numUpdatedRows } = await query
      .updateTable('video_jobs')
      .set(set)
      .where('id', '=', id)
      .where('is_open', '=', 1)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  /** Ends a row that is open, with what follows from its end; false where it had ended before. */
  const end = async (
    id: number,
    outcome: 'completed' | 'failed',
    set: Partial<Insertable<VideoJobsTable>>,
  ): Promise<boolean> => {
    const ended = await database.transaction(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('video_jobs')
        .set({ ...set, state: outcome, is_open: 0, held: 0, completed_time: now(), next_time: now() })
        .where('id', '=', id)
        .where('is_open', '=', 1)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return undefined
      const row = await trx
        .selectFrom('video_jobs')
        .select(['public_id', 'user_id as userId', 'project_id as projectId', 'member_id as memberId'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      const { public_id: publicId, ...maker } = row
      const written = { kind: 'video', outcome, id: publicId, maker } as const
      await jobEnds.write(trx, written)
      return written
    })
    if (ended !== undefined) jobEnds.ended(ended)
    return ended !== undefined
  }

  return {
    jobs: openRowClaims({ database, table: 'video_jobs', time: 'next_time', leaseSeconds, where: isOpen, clock }),
    holds: openRowHolds({ database, table: 'video_jobs', holder, isOpen, jobOf, clock }),
    async add({ maker, owner, model, prompt, durationMs, size, remixedFrom, held }) {
      const row = {
        public_id: `video_${randomBytes(16).toString('hex')}`,
        user_id: maker.userId,
        token_id: maker.tokenId,
        project_id: maker.projectId,
        member_id: maker.memberId,
        owner: JSON.stringify(owner),
        provider: '',
        channel_id: 0,
        key_hash: '',
        upstream_id: '',
        model,
        upstream_model: '',
        prompt,
        duration_ms: durationMs,
        size,
        remixed_from: remixedFrom,
        receipt: '',
        cost: '',
        held,
        holder,
        holder_until: now() + heldForS,
        state: 'submitting' as const,
        is_open: 1,
        progress: 0,
        error_code: '',
        error_message: '',
        result: '',
        created_time: now(),
        completed_time: 0,
        expires_time: 0,
        next_time: now() + submissionS,
        attempts: 0,
        nudged_time: 0,
        is_deleted: 0,
      }
      return { ...row, id: await insertReturningId(query, 'video_jobs', row) }
    },
    accepted: (id, video, calls) =>
      change(id, { ...video, state: 'queued', next_time: now() + (calls ? firstLookAfterCallS : firstLookS) }),
    async nudge(publicId) {
      const row = await query
        .selectFrom('video_jobs')
        .select(['id', 'is_open', 'state', 'nudged_time'])
        .where('public_id', '=', publicId)
        .executeTakeFirst()
      if (row === undefined) return 'unknown'
      // One whose submission is under way has nothing to be asked for.
      const at = askedLook(row.nudged_time, now())
      if (row.is_open !== 1 || row.state === 'submitting' || at === undefined) return 'later'
      const { numUpdatedRows } = await query
        .updateTable('video_jobs')
        .set({ nudged_time: at, next_time: noLaterThan('next_time', at) })
        .where('id', '=', row.id)
        .where('is_open', '=', 1)
        .where('state', '!=', 'submitting')
        .where('nudged_time', '=', row.nudged_time)
        .executeTakeFirst()
      return numUpdatedRows > 0n && at <= now() ? 'due' : 'later'
    },
    async drop(id) {
      await query.deleteFrom('video_jobs').where('id', '=', id).where('state', '=', 'submitting').execute()
    },
    async isOpen(id) {
      const row = await query.selectFrom('video_jobs').select('is_open').where('id', '=', id).executeTakeFirst()
      return row?.is_open === 1
    },
    async complete(id, video) {
      await end(id, 'completed', { ...video, progress: 100 })
    },
    fail: (id, { code, message }) =>
      end(id, 'failed', {
        error_code: shortText(code, longestCode),
        error_message: shortText(message, longestMessage),
      }),
    async later({ id, nudged_time: nudged }, { nextAt, ...more }) {
      const at = Math.floor(nextAt / 1000)
      await change(id, { ...more, next_time: unlessNudged(nudged, at) })
    },
    async moved(id, result) {
      await query.updateTable('video_jobs').set({ result }).where('id', '=', id).execute()
    },
    find: (publicId, reader) =>
      rows().where('public_id', '=', publicId).where('is_deleted', '=', 0).where(madeBy(reader)).executeTakeFirst(),
    findNative({ provider, upstreamId, channelId }, reader) {
      const known = rows()
        .where('provider', '=', provider)
        .where('upstream_id', '=', upstreamId)
        .where('is_deleted', '=', 0)
        .where(madeBy(reader))
      const atChannel = channelId === undefined ? known : known.where('channel_id', '=', channelId)
      return atChannel.orderBy('id', 'desc').limit(1).executeTakeFirst()
    },
    async list(reader, { after, limit, order }) {
      const start =
        after === undefined
          ? undefined
          : await rows().where('public_id', '=', after).where(madeBy(reader)).executeTakeFirst()
      let page = rows().where('is_deleted', '=', 0).where(madeBy(reader))
      if (start !== undefined) page = page.where('id', order === 'asc' ? '>' : '<', start.id)
      const found = await page
        .orderBy('id', order)
        .limit(limit + 1)
        .execute()
      return { rows: found.slice(0, limit), hasMore: found.length > limit }
    },
    async remove(id) {
      await query.updateTable('video_jobs').set({ is_deleted: 1 }).where('id', '=', id).execute()
    },
    openJobs: () => readOpenJobs(query, { table: 'video_jobs', state: sql<string>`state`, where: isOpen }),
    async purge() {
      const old = now() - endedDays * day
      await query.deleteFrom('video_jobs').where('is_open', '=', 0).where('next_time', '<', old).execute()
    },
  }
}
