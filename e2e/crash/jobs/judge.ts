import { sql } from 'kysely'
import type { Database } from '../../../server/src/db/database.ts'
import { type JobLoad, linesOfBatch } from './load.ts'
import { answerCost, batchedCost, batchModelCost, type Served, videoCost } from './provider.ts'

interface BatchRow {
  readonly object_id: string
  readonly state: string
  readonly total: number
  readonly succeeded: number
  readonly errors: string
}

interface VideoRow {
  readonly public_id: string
  readonly upstream_id: string
  readonly state: string
  readonly error_code: string
}

/** Jobs that have no end. A batch whose requests have not all come is none yet. Rows of videos whose submission has no known outcome count apart. */
export interface OpenJobs {
  readonly batches: number
  readonly videos: number
  readonly unsubmitted: number
  readonly answers: number
}

/** Ids of all batches, as clients name them. */
export const batchIds = async ({ query }: Database): Promise<readonly string[]> => {
  const { rows } = await sql<{
    readonly id: string
  }>`select object_id as id from batches where state <> 'receiving'`.execute(query)
  return rows.map(({ id }) => `batch_${id}`)
}

const numberOf = async (database: Database, from: string): Promise<number> => {
  const { rows } = await sql<{ readonly n: number }>`select count(*) as n from ${sql.raw(from)}`.execute(database.query)
  return Number(rows[0]?.n ?? 0)
}

export const openJobs = async (database: Database): Promise<OpenJobs> => ({
  batches: await numberOf(database, `batches where state in ('validating', 'in_progress', 'finalizing')`),
  videos: await numberOf(database, `video_jobs where is_open = 1 and state <> 'submitting'`),
  unsubmitted: await numberOf(database, `video_jobs where is_open = 1 and state = 'submitting'`),
  answers: await numberOf(database, 'background_answers'),
})

/** Lets the time pass after which a submission without an outcome counts as broken off. */
export const endSubmissions = async (database: Database): Promise<void> => {
  await sql`update video_jobs set next_time = 0 where is_open = 1 and state = 'submitting'`.execute(database.query)
}

/** Lets the leases of processes that are gone end. */
export const endLeases = async ({ query }: Database): Promise<void> => {
  await sql`update batches set next_time = 0 where ended_time = 0`.execute(query)
  await sql`update video_jobs set next_time = 0 where is_open = 1 and state <> 'submitting'`.execute(query)
  await sql`update background_answers set due_time = 0`.execute(query)
}

/** Jobs that a run has made, and everything that does not agree. */
export interface JobCounts {
  readonly batches: number
  readonly lines: number
  /** Lines that their provider has answered more than once, because the first answer was not written. */
  readonly linesAgain: number
  /** Batches that their provider has begun, lines that were paid at the price of batches, and lines of its model that were made alone. */
  readonly providerBatches: number
  readonly batchedLines: number
  readonly restLines: number
  readonly videos: number
  readonly failedVideos: number
  /** Videos that the provider has begun and the gateway cannot name: free. */
  readonly unknownVideos: number
  readonly answers: number
  readonly files: number
  /** Jobs whose client has no answer. */
  readonly unanswered: number
  /** Refusals by their status. */
  readonly refused: Readonly<Record<string, number>>
  readonly charges: number
  readonly problems: readonly string[]
}

export interface JudgeParts {
  readonly database: Database
  readonly load: JobLoad
  readonly served: Served
  /** Costs of lines, by the ids of their charges. */
  readonly lineCosts: ReadonlyMap<string, number>
  /** User that pays for all jobs, and the balance at the beginning. */
  readonly payer: { readonly id: number; readonly balance: number }
}

const failureOfProvider = 'moderation_blocked'

/** Compares jobs and what their provider has served with charges, the log and the balance. All nodes must have stopped. */
export const judgeJobs = async ({ database, load, served, lineCosts, payer }: JudgeParts): Promise<JobCounts> => {
  const { query } = database
  const problems: string[] = []
  const equal = (what: string, found: unknown, expected: unknown): void => {
    if (found !== expected) problems.push(`${what}: ${found} instead of ${expected}`)
  }

  const charges = new Map<string, number>()
  const entries = await query
    .selectFrom('ledger_entries')
    .select(['movement', 'amount'])
    .where('reason', '=', 'charge')
    .where('account', '=', 'user')
    .execute()
  for (const { movement, amount } of entries) {
    if (charges.has(movement)) problems.push(`${movement} is charged twice`)
    charges.set(movement, -Number(amount))
  }
  const logged = new Map<string, number>()
  for (const { request_id: id, quota } of await query
    .selectFrom('logs')
    .select(['request_id', 'quota'])
    .where('type', '=', 2)
    .execute()) {
    if (logged.has(id)) problems.push(`${id} has two rows in the log`)
    logged.set(id, Number(quota))
  }
  for (const [id, amount] of charges) equal(`log of ${id}`, logged.get(id), amount)
  equal('rows of the log', logged.size, charges.size)

  const unclaimed = new Set(charges.keys())
  const paidOnce = (what: string, id: string, amount: number): void => {
    equal(`charge of ${what}`, charges.get(id), amount)
    unclaimed.delete(id)
  }

  const { rows: batches } = await sql<BatchRow>`select object_id, state, total, succeeded, errors from batches
    where state <> 'receiving'`.execute(query)
  const known = new Set(batches.map(({ object_id }) => object_id))
  for (const { object_id, state, total, succeeded, errors } of batches) {
    equal(`state of the batch ${object_id} (${errors})`, state, 'completed')
    equal(`lines of the batch ${object_id}`, Number(total), linesOfBatch)
    equal(`answered lines of the batch ${object_id}`, Number(succeeded), linesOfBatch)
    for (let line = 1; line <= linesOfBatch; line += 1)
      paidOnce(
        `line ${line} of ${object_id}`,
        `batch-${object_id}-${line}`,
        lineCosts.get(`batch-${object_id}-${line}`) ?? 0,
      )
  }
  const { batches: own, providerBatches, timedBatches } = load.acknowledged
  for (const id of [...own, ...providerBatches, ...timedBatches])
    if (!known.has(id.replace(/^batch_/, ''))) problems.push(`the batch ${id} is gone`)

  const { rows: videos } = await sql<VideoRow>`
    select public_id, upstream_id, state, error_code from video_jobs`.execute(query)
  const rowOf = new Map(videos.map((row) => [row.public_id, row]))
  const upstreamIds = new Set<string>()
  for (const { public_id: id, upstream_id, state, error_code } of videos) {
    if (upstream_id !== '') {
      if (upstreamIds.has(upstream_id)) problems.push(`two videos have ${upstream_id}`)
      upstreamIds.add(upstream_id)
      equal(
        `state of the video ${id} (${error_code})`,
        state,
        served.finished.has(upstream_id) ? 'completed' : 'failed',
      )
    }
    if (state === 'completed') paidOnce(`the video ${id}`, id, videoCost)
    else if (charges.has(id)) problems.push(`the video ${id} has failed and is charged`)
  }
  for (const id of load.acknowledged.videos) {
    const row = rowOf.get(id)
    if (row === undefined) problems.push(`the video ${id} is gone`)
    else if (row.state !== 'completed') equal(`failure of the video ${id}`, row.error_code, failureOfProvider)
  }
  const unknownRows = videos.filter(({ error_code }) => error_code === 'submission_unknown').length
  const unknownVideos = [...served.begun].filter((id) => !upstreamIds.has(id)).length
  if (unknownVideos > unknownRows) problems.push(`${unknownVideos} videos of the provider for ${unknownRows} rows`)

  for (const { id, requestId } of load.acknowledged.answers) paidOnce(`the answer ${id}`, requestId, answerCost)
  if (unclaimed.size > load.unanswered.answers)
    problems.push(`${unclaimed.size} charges for ${load.unanswered.answers} answers whose client has no id`)
  for (const id of unclaimed) equal(`charge of the answer ${id}`, charges.get(id), answerCost)

  const spent = [...charges.values()].reduce((sum, amount) => sum + amount, 0)
  const user = await query
    .selectFrom('users')
    .select(['quota', 'used_quota'])
    .where('id', '=', payer.id)
    .executeTakeFirstOrThrow()
  equal('balance', Number(user.quota), payer.balance - spent)
  equal('used quota', Number(user.used_quota), spent)

  const lineCounts = [...served.lines].filter(([text]) => text.startsWith('line '))
  const { answers, files } = load.acknowledged
  return {
    batches: batches.length,
    lines: batches.length * linesOfBatch,
    linesAgain: lineCounts.reduce((sum, [, times]) => sum + times - 1, 0),
    providerBatches: served.batches,
    batchedLines: [...lineCosts.values()].filter((cost) => cost === batchedCost).length,
    restLines: [...lineCosts.values()].filter((cost) => cost === batchModelCost).length,
    videos: videos.length,
    failedVideos: videos.filter(({ error_code }) => error_code === failureOfProvider).length,
    unknownVideos,
    answers: answers.length + unclaimed.size,
    files: files.length,
    unanswered: Object.values(load.unanswered).reduce((sum, count) => sum + count, 0),
    refused: load.refused,
    charges: charges.size,
    problems,
  }
}
