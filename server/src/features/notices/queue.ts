import type { Selectable, Transaction } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../db/database.ts'
import type { NoticeDeliveriesTable, Tables } from '../../db/schema.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import { reasonOf } from '../../lib/reason-of.ts'
import type { DeliveryMethod } from './delivery.ts'
import type { Notice } from './texts.ts'

/** A notice on its way. */
export interface Waiting {
  readonly userId: number
  readonly way: DeliveryMethod
  /** Mail address, or address of a webhook, of a reader who is no user. */
  readonly to?: string | undefined
  readonly notice: Notice
  /** Unix seconds of the event. */
  readonly timestamp: number
}

export interface QueueParts {
  readonly database: Database
  /** Delivers or throws; a notice that has nowhere to go counts as delivered. */
  deliver(waiting: Waiting): Promise<void>
  /** For the operator's log. */
  gaveUp(facts: { userId: number; kind: string; attempts: number; error: string }): void
  failed(error: unknown): void
  readonly clock: Clock
}

export interface NoticeQueue {
  /** In `trx`, so that a notice exists exactly when what it counts against does. `wake` it afterwards. */
  add(trx: Transaction<Tables>, waiting: Waiting): Promise<void>
  /** Begins to work, unless it does already; returns at once. */
  wake(): void
  /** Resolves when nothing that is due is left. */
  work(): Promise<void>
  /** Resolves when what is under way has ended. */
  idle(): Promise<void>
}

const mostAttempts = 5
const firstPauseSeconds = 30
const pauseGrowth = 4
/** Longer than any delivery takes, mails included: a node that died in the middle of one leaves it to the others after this time. */
const leaseSeconds = 300
const together = 8
const longestError = 500

const storedBody = z.object({
  title: z.string(),
  content: z.string(),
  values: z.array(z.string()),
  link: z.object({ label: z.string(), url: z.string(), otherwise: z.string().default('') }).optional(),
  timestamp: z.number(),
  to: z.string().optional(),
})

type Row = Selectable<NoticeDeliveriesTable>

const waitingOf = (row: Row): Waiting => {
  const { timestamp, to, ...texts } = storedBody.parse(JSON.parse(row.body))
  return { userId: row.user_id, way: row.way, to, notice: { kind: row.kind, ...texts }, timestamp }
}

/** 30 s, 2 min, 8 min, 32 min. */
const pauseAfter = (attempt: number): number => firstPauseSeconds * pauseGrowth ** (attempt - 1)

/**
 * Notices in the database until they arrive, at most five times tried. Any node works on them; a conditional update gives
 * each try to one of them.
 */
export const openNoticeQueue = (parts: QueueParts): NoticeQueue => {
  const { query } = parts.database
  const now = (): number => unixSeconds(parts.clock)
  let running: Promise<void> | undefined
  let again = false

  const claim = async (row: Row): Promise<boolean> => {
    const { numUpdatedRows } = await query
      .updateTable('notice_deliveries')
      .set({ attempts: row.attempts + 1, next_time: now() + leaseSeconds })
      .where('id', '=', row.id)
      .where('attempts', '=', row.attempts)
      .where('next_time', '=', row.next_time)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  const remove = async ({ id }: Row): Promise<void> => {
    await query.deleteFrom('notice_deliveries').where('id', '=', id).execute()
  }

  const postpone = async (row: Row, attempt: number, error: string): Promise<void> => {
    await query
      .updateTable('notice_deliveries')
      .set({ next_time: now() + pauseAfter(attempt), last_error: error.slice(0, longestError) })
      .where('id', '=', row.id)
      .execute()
  }

  const attempt = async (row: Row): Promise<void> => {
    if (!(await claim(row))) return
    const number = row.attempts + 1
    try {
      await parts.deliver(waitingOf(row))
    } catch (cause) {
      const error = reasonOf(cause)
      if (number < mostAttempts) return postpone(row, number, error)
      parts.gaveUp({ userId: row.user_id, kind: row.kind, attempts: number, error })
    }
    await remove(row)
  }

  const workAll = async (): Promise<void> => {
    for (;;) {
      const due = await query
        .selectFrom('notice_deliveries')
        .selectAll()
        .where('next_time', '<=', now())
        .orderBy('next_time')
        .orderBy('id')
        .limit(together)
        .execute()
      if (due.length === 0) return
      await Promise.all(due.map(attempt))
    }
  }

  const work = async (): Promise<void> => {
    again = true
    running ??= (async () => {
      try {
        while (again) {
          again = false
          await workAll()
        }
      } finally {
        running = undefined
      }
    })()
    await running
  }

  return {
    async add(trx, { userId, way, to, notice, timestamp }) {
      const { kind, ...texts } = notice
      const row = {
        user_id: userId,
        kind,
        way,
        body: JSON.stringify({ ...texts, timestamp, to }),
        attempts: 0,
        created_time: now(),
        next_time: now(),
        last_error: '',
      }
      await trx.insertInto('notice_deliveries').values(row).execute()
    },
    wake: () => void work().catch(parts.failed),
    work,
    idle: async () => running?.catch(() => undefined),
  }
}
