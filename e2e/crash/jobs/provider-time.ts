import { sql } from 'kysely'
import type { Database } from '../../../server/src/db/database.ts'

/** Lets time pass for batches at a provider: what takes hours or minutes there, proofs cannot wait for. */

interface TimedRow {
  readonly id: number
  readonly settings: string
  readonly asked: number
}

const minuteMs = 60_000
/** Milliseconds before its deadline at which a provider is asked to end a batch, whatever was seen of its model, and at which it is not waited for. */
const isAskedMs = 24 * minuteMs
const isLateMs = 14 * minuteMs
/** Seconds that a provider needs for the end of a batch at most, where it comes. */
const endingS = 8
/** Seconds of the lease of a batch. */
const leaseS = 20

const nowS = (): number => Math.floor(Date.now() / 1000)

/**
 * Brings the deadlines of batches that are at their provider so near that it is asked to end them, each with this probability, and then so
 * near that its end is not waited for. Answers how many it has moved.
 */
export const bringDeadlines = async ({ query }: Database, probability: number): Promise<number> => {
  let moved = 0
  const { rows } = await sql<TimedRow>`select b.id as id, b.settings as settings, p.cancel_time as asked
    from batches b join provider_batches p on p.batch_id = b.id
    where p.is_open = 1 and p.stage = 'submitted' and b.state = 'in_progress'`.execute(query)
  for (const { id, settings, asked } of rows) {
    const { timed, ...more } = JSON.parse(settings) as {
      timed?: { readonly arrivedAt: number; readonly deadline: number }
    }
    const isNear = timed !== undefined && timed.deadline < Date.now() + 2 * isAskedMs
    const isDue = isNear ? Number(asked) > 0 && nowS() > Number(asked) + endingS : Math.random() < probability
    if (timed === undefined || !isDue) continue
    const deadline = Date.now() + (isNear ? isLateMs : isAskedMs)
    const arrivedAt = timed.arrivedAt - (timed.deadline - deadline)
    const changed = JSON.stringify({ ...more, timed: { ...timed, arrivedAt, deadline } })
    await sql`update batches set settings = ${changed} where id = ${id}`.execute(query)
    moved += 1
  }
  return moved
}

/** Providers are asked now for batches that wait for them; those that are under way have a shorter time. */
export const lookNow = async ({ query }: Database): Promise<void> => {
  await sql`update batches set next_time = ${nowS()} where state = 'in_progress' and next_time > ${nowS() + leaseS + 2}`.execute(
    query,
  )
}

/** Providers list by now what was submitted to them. */
export const listSubmissions = async ({ query }: Database): Promise<void> => {
  await sql`update provider_batches set created_time = created_time - 130
    where stage = 'submitting' and is_open = 1 and created_time > ${nowS() - 130}`.execute(query)
}
