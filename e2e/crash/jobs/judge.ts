import { sql } from 'kysely'
import type { Database } from '../../../server/src/db/database.ts'
import { type JobLoad, linesOfBatch } from './load.ts'
import { answerCost, type Served, videoCost } from './provider.ts'

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
  /** User that pays for all jobs, and the balance at the beginning. */
  readonly payer: { readonly id: number; readonly balance: number }
}

const failureOfProvider = 'moderation_blocked'

/** Compares jobs and what their provider has served with charges, the log and the balance. All nodes must have stopped. */
export const judgeJobs = async ({ database, load, served, payer }: JudgeParts): Promise<JobCounts> => {
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
  const batchIds = new Set(batches.map(({ object_id }) => object_id))
  for (const { object_id, state, total, succeeded, errors } of batches) {
    equal(`state of the batch ${object_id} (${errors})`, state, 'completed')
    equal(`lines of the batch ${object_id}`, Number(total), linesOfBatch)
    equal(`answered lines of the batch ${object_id}`, Number(succeeded), linesOfBatch)
    for (let line = 1; line <= linesOfBatch; line += 1)
      paidOnce(`line ${line} of ${object_id}`, `batch-${object_id}-${line}`, answerCost)
  }
  for (const id of load.acknowledged.batches)
    if (!batchIds.has(id.replace(/^batch_/, ''))) problems.push(`the batch ${id} is gone`)

  const { rows: videos } = await sql<VideoRow>`
    select public_id, upstream_id, state, error_code from video_jobs`.execute(query)
  const rowOf = new Map(videos.map((row) => [row.public_id, row]))
  const known = new Set<string>()
  for (const { public_id: id, upstream_id, state, error_code } of videos) {
    if (upstream_id !== '') {
      if (known.has(upstream_id)) problems.push(`two videos have ${upstream_id}`)
      known.add(upstream_id)
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
  const unknownVideos = [...served.begun].filter((id) => !known.has(id)).length
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

/** Reads the results of every acknowledged job as its client does; answers what is missing. */
export const readResults = async (
  url: string,
  key: string,
  { batches, answers, files }: JobLoad['acknowledged'],
  digestOf: (bytes: Uint8Array) => string,
): Promise<readonly string[]> => {
  const problems: string[] = []
  const read = async (path: string): Promise<Response> => {
    const answer = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } })
    if (!answer.ok) problems.push(`${path}: ${answer.status} ${(await answer.clone().text()).slice(0, 200)}`)
    return answer
  }
  for (const id of batches) {
    const batch = (await (await read(`/v1/batches/${id}`)).json()) as { output_file_id?: string }
    const text = await (await read(`/v1/files/${batch.output_file_id}/content`)).text()
    const names = text
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { custom_id?: string }).custom_id)
    if (names.length !== linesOfBatch || new Set(names).size !== linesOfBatch)
      problems.push(`the batch ${id} has the results ${names.join()}`)
  }
  for (const { id } of answers) {
    const { status, output } = (await (await read(`/v1/responses/${id}`)).json()) as {
      readonly status?: string
      readonly output?: readonly unknown[]
    }
    if (status !== 'completed' || output?.length !== 1) problems.push(`the answer ${id} is ${status}`)
  }
  for (const { id, digest } of files) {
    const bytes = new Uint8Array(await (await read(`/v1/files/${id}/content`)).arrayBuffer())
    if (digestOf(bytes) !== digest) problems.push(`the file ${id} has other bytes than were sent`)
  }
  return problems
}
