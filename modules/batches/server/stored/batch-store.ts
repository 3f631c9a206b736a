import { type SqlBool, sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { insertReturningId } from '#server/db/dialect.ts'
import { madeIn } from '#server/db/made-by.ts'
import type { JobEnds } from '#server/jobs/job-ends.ts'
import { type OpenJobs, readOpenJobs } from '#server/jobs/job-figures.ts'
import type { JobStore } from '#server/jobs/job-store.ts'
import { openRowClaims, type RowClaim } from '#server/jobs/row-claims.ts'
import { isStorable } from '#server/lib/bounded-text.ts'
import { type Clock, unixSeconds } from '#server/lib/clock.ts'
import type { Reader } from '#server/relay/reader.ts'
import type { Batch } from '../forms/batch-form.ts'
import { batchEnd } from '../forms/forms.ts'
import type { InputPlace } from '../input/input-lines.ts'
import { type AnswerTokens, noTokens } from '../run/answer-tokens.ts'
import { type BatchChunks, chunksOf, type LineResult } from './chunks.ts'

/** States in which a batch goes on. */
export const openStates = ['validating', 'in_progress', 'finalizing'] as const

export type EndState = 'completed' | 'failed' | 'cancelled' | 'expired'

export const isOpen = ({ state }: Pick<Batch, 'state'>): boolean => openStates.some((open) => open === state)

export type NewBatch = Pick<
  Batch,
  | 'object_id'
  | 'form'
  | 'user_id'
  | 'token_id'
  | 'project_id'
  | 'member_id'
  | 'ip'
  | 'endpoint'
  | 'model'
  | 'settings'
  | 'input_file'
  | 'expires_time'
  | 'runner'
>

export interface BatchPage {
  /** The page follows this batch, or ends before it; newest first. Row ids. */
  readonly after?: number | undefined
  readonly before?: number | undefined
  readonly limit: number
}

/** Changes of a batch by a group of finished lines. */
export interface Progress {
  readonly results: readonly LineResult[]
  readonly succeeded: number
  readonly failed: number
  readonly skipped: number
  readonly tokens: AnswerTokens
  /** The first place that is not done. */
  readonly next: InputPlace
}

type Claim = Pick<RowClaim, 'until'>
type Changes = Partial<Omit<Batch, 'id' | 'state'>>

/** Batches in the database, for all nodes. Changes of a runner are refused, and answer false, once another one has the batch. */
export interface BatchStore {
  readonly jobs: JobStore<Batch, RowClaim>
  /** Adds a batch in the state `receiving`. */
  add(batch: NewBatch): Promise<Batch>
  /** Makes a batch whose requests are stored due. */
  begin(id: number, state: 'validating' | 'in_progress', total: number): Promise<Batch>
  find(objectId: string, form: Batch['form'], reader: Reader): Promise<Batch | undefined>
  byId(id: number): Promise<Batch | undefined>
  /** Newest first. `hasMore` is about the side that the page grows to. */
  list(
    form: Batch['form'],
    reader: Reader,
    page: BatchPage,
  ): Promise<{ readonly batches: readonly Batch[]; readonly hasMore: boolean }>
  /** Batches of a payer that have not ended. */
  countOpen(userId: number): Promise<number>
  /** Asks for the end of a batch; false where it has ended, or was asked for before. */
  cancel(id: number): Promise<boolean>
  /** Deletes an ended batch; hides and cancels another. */
  remove(batch: Batch): Promise<void>
  change(id: number, claim: Claim, changes: Changes, state?: 'in_progress' | 'finalizing'): Promise<boolean>
  /** Refused, too, where the batch has other chunks of results than `after`: then a write that failed was done all the same. */
  progress(id: number, claim: Claim, progress: Progress, after: number): Promise<boolean>
  end(batch: Batch, claim: Claim, state: EndState, changes: Changes): Promise<boolean>
  /** Gives a batch back, so that another runner goes on at once. */
  release(id: number, claim: Claim): Promise<boolean>
  /** Batches that have not ended, for metrics. */
  openJobs(): Promise<OpenJobs>
  /** Deletes batches whose time of keeping is over. */
  purge(): Promise<void>
}

/** Seconds that a batch is with its runner, unless that prolongs them. */
export const leaseSeconds = 20
const day = 86_400
/** Days that ended batches are kept. */
const keptDays = 30
const purgePage = 100
const receivingSeconds = 3_600

export interface BatchStoreParts {
  readonly database: Database
  readonly chunks: BatchChunks
  readonly jobEnds: JobEnds
  readonly clock: Clock
}

const isGoing = sql<SqlBool>`state in ('validating', 'in_progress', 'finalizing')`

const noBatch = {
  state: 'receiving',
  output_file: '',
  error_file: '',
  errors: '[]',
  total: 0,
  succeeded: 0,
  failed: 0,
  skipped: 0,
  ...noTokens,
  next_line: 1,
  next_offset: 0,
  chunks: 0,
  started_time: 0,
  finalizing_time: 0,
  cancelling_time: 0,
  ended_time: 0,
  wait_time: 0,
  nudged_time: 0,
  hidden: 0,
  attempts: 0,
  error: '',
  quota: null,
} as const

export const openBatchStore = ({ database, chunks, jobEnds, clock }: BatchStoreParts): BatchStore => {
  const { query } = database
  const now = (): number => unixSeconds(clock)

  const changed = (result: { readonly numUpdatedRows: bigint }): boolean => result.numUpdatedRows > 0n

  const ofClaim = (on: Pick<Database['query'], 'updateTable'>, id: number, { until }: Claim) =>
    on
      .updateTable('batches')
      .where('id', '=', id)
      .where('next_time', '=', until)
      .where('state', 'in', [...openStates])

  const visible = (form: Batch['form'], reader: Reader) =>
    query
      .selectFrom('batches')
      .selectAll()
      .where('form', '=', form)
      .where('hidden', '=', 0)
      .where('state', '!=', 'receiving')
      .where(madeIn(reader))

  const byId = (id: number): Promise<Batch | undefined> =>
    query.selectFrom('batches').selectAll().where('id', '=', id).executeTakeFirst()

  const cancel = async (id: number): Promise<boolean> => {
    const asked = query
      .updateTable('batches')
      .set(({ ref }) => ({
        cancelling_time: now(),
        // One that waits for its provider is looked at now; a lease is shorter.
        next_time: sql<number>`case when ${ref('next_time')} > ${now() + leaseSeconds} then ${now()} else ${ref('next_time')} end`,
      }))
      .where('id', '=', id)
      .where('cancelling_time', '=', 0)
      .where('state', 'in', ['validating', 'in_progress'])
    return changed(await asked.executeTakeFirst())
  }

  const deleteRow = async (id: number): Promise<void> => {
    await chunks.remove(id, ['input', 'output', 'error'])
    await query.deleteFrom('batches').where('id', '=', id).execute()
  }

  return {
    jobs: openRowClaims({
      database,
      table: 'batches',
      time: 'next_time',
      leaseSeconds,
      where: isGoing,
      counted: { attempts: 'attempts', error: 'error' },
      clock,
    }),
    async add(batch) {
      const row = { ...noBatch, ...batch, created_time: now(), next_time: now() }
      return { ...row, id: await insertReturningId(query, 'batches', row) }
    },
    async begin(id, state, total) {
      const started_time = state === 'in_progress' ? now() : 0
      await query
        .updateTable('batches')
        .set({ state, total, started_time, next_time: now() })
        .where('id', '=', id)
        .execute()
      return query.selectFrom('batches').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    },
    async find(objectId, form, reader) {
      if (!isStorable(objectId, 64)) return undefined
      return visible(form, reader).where('object_id', '=', objectId).executeTakeFirst()
    },
    byId,
    async list(form, reader, { after, before, limit }) {
      const all = visible(form, reader)
      const bounded = after === undefined ? all : all.where('id', '<', after)
      const isBackwards = before !== undefined && after === undefined
      const rows = await (isBackwards ? all.where('id', '>', before) : bounded)
        .orderBy('id', isBackwards ? 'asc' : 'desc')
        .limit(limit + 1)
        .execute()
      const batches = rows.slice(0, limit)
      return { batches: isBackwards ? batches.toReversed() : batches, hasMore: rows.length > limit }
    },
    async countOpen(userId) {
      const { count } = await query
        .selectFrom('batches')
        .select(({ fn }) => fn.countAll().as('count'))
        .where('user_id', '=', userId)
        .where('state', 'in', [...openStates])
        .executeTakeFirstOrThrow()
      return Number(count)
    },
    cancel,
    async remove(batch) {
      if (!isOpen(batch)) return deleteRow(batch.id)
      await cancel(batch.id)
      await query.updateTable('batches').set({ hidden: 1 }).where('id', '=', batch.id).execute()
    },
    async change(id, claim, changes, state) {
      return changed(
        await ofClaim(query, id, claim)
          .set({ ...changes, ...(state && { state }) })
          .executeTakeFirst(),
      )
    },
    progress: (id, claim, { results, succeeded, failed, skipped, tokens, next }, after) =>
      database.transaction(async (trx) => {
        const isOurs = changed(
          await ofClaim(trx, id, claim)
            .where('chunks', '=', after)
            .set(({ eb }) => ({
              succeeded: eb('succeeded', '+', succeeded),
              failed: eb('failed', '+', failed),
              skipped: eb('skipped', '+', skipped),
              input_tokens: eb('input_tokens', '+', tokens.input_tokens),
              cached_tokens: eb('cached_tokens', '+', tokens.cached_tokens),
              output_tokens: eb('output_tokens', '+', tokens.output_tokens),
              reasoning_tokens: eb('reasoning_tokens', '+', tokens.reasoning_tokens),
              next_line: next.line,
              next_offset: next.offset,
              chunks: after + chunksOf(results),
            }))
            .executeTakeFirst(),
        )
        if (isOurs) await chunks.addResults(trx, id, after, results)
        return isOurs
      }),
    async end(batch, claim, state, changes) {
      const end = batchEnd(batch, state)
      const hasEnded = await database.transaction(async (trx) => {
        const isOurs = changed(
          await ofClaim(trx, batch.id, claim)
            .set({ ...changes, state, ended_time: now(), next_time: now() })
            .executeTakeFirst(),
        )
        if (!isOurs) return false
        await chunks.remove(batch.id, goneAtEnd(batch), trx)
        await jobEnds.write(trx, end)
        return true
      })
      if (hasEnded) jobEnds.ended(end)
      return hasEnded
    },
    async release(id, claim) {
      return changed(await ofClaim(query, id, claim).set({ next_time: now() }).executeTakeFirst())
    },
    openJobs: () => readOpenJobs(query, { table: 'batches', state: sql<string>`state`, where: isGoing }),
    async purge() {
      const old = await query
        .selectFrom('batches')
        .select('id')
        .where(({ eb, or, and }) =>
          or([
            and([eb('ended_time', '>', 0), eb('ended_time', '<', now() - keptDays * day)]),
            and([eb('ended_time', '>', 0), eb('hidden', '=', 1)]),
            and([eb('state', '=', 'receiving'), eb('created_time', '<', now() - receivingSeconds)]),
          ]),
        )
        .limit(purgePage)
        .execute()
      for (const { id } of old) await deleteRow(id)
    },
  }
}

/**
 * Texts that go when a batch ends: results of one whose requests are a file are files, too. Requests stay where some had no success, so that
 * they can be made again.
 */
const goneAtEnd = ({ input_file, failed, skipped }: Batch): readonly ('input' | 'output' | 'error')[] => {
  if (input_file !== '') return ['input', 'output', 'error']
  return failed + skipped > 0 ? [] : ['input']
}
