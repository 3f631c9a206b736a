import type { Selectable, Transaction } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../db/database.ts'
import type { NoticeDeliveriesTable, Tables } from '../../db/schema.ts'
import { growingPauses } from '../../jobs/job-policy.ts'
import { openRowClaims } from '../../jobs/row-claims.ts'
import { type JobRunner, type JobTimes, openJobRunner } from '../../jobs/runner.ts'
import { unixSeconds } from '../../lib/clock.ts'
import type { DeliveryMethod } from './delivery.ts'
import type { Notice } from './texts.ts'

type Row = Selectable<NoticeDeliveriesTable>

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

export interface QueueParts extends JobTimes {
  readonly database: Database
  /** Delivers or throws; a notice that has nowhere to go counts as delivered. */
  deliver(waiting: Waiting): Promise<void>
  /** For the operator's log. */
  gaveUp(facts: { userId: number; kind: string; attempts: number; error: string }): void
}

export interface NoticeQueue extends Omit<JobRunner<Row>, 'start'> {
  /** In `trx`, so that a notice exists exactly when what it counts against does. `wake` the queue afterwards. */
  add(trx: Transaction<Tables>, waiting: Waiting): Promise<void>
}

const mostAttempts = 5
/** 30 s, 2 min, 8 min, 32 min. */
const pauses = growingPauses({ first: 30, growth: 4, longest: 1920 })
/** Longer than any delivery takes, mails included: a node that died in the middle of one leaves it to the others after this time. */
const leaseSeconds = 300
const together = 8

const storedBody = z.object({
  title: z.string(),
  content: z.string(),
  values: z.array(z.string()),
  link: z.object({ label: z.string(), url: z.string(), otherwise: z.string().default('') }).optional(),
  timestamp: z.number(),
  to: z.string().optional(),
})

const waitingOf = (row: Row): Waiting => {
  const { timestamp, to, ...texts } = storedBody.parse(JSON.parse(row.body))
  return { userId: row.user_id, way: row.way, to, notice: { kind: row.kind, ...texts }, timestamp }
}

/** Notices in the database until they arrive, at most five times tried, by whichever node is first. */
export const openNoticeQueue = (parts: QueueParts): NoticeQueue => {
  const { database, clock } = parts
  const now = (): number => unixSeconds(clock)
  const runner = openJobRunner({
    store: openRowClaims({
      database,
      table: 'notice_deliveries',
      time: 'next_time',
      leaseSeconds,
      counted: { attempts: 'attempts', error: 'last_error' },
      deletesDone: true,
      clock,
    }),
    work: async (row) => parts.deliver(waitingOf(row)),
    atOnce: together,
    retry: {
      pauses,
      mostAttempts,
      gaveUp: ({ user_id: userId, kind }, { attempts, reason }) =>
        parts.gaveUp({ userId, kind, attempts, error: reason }),
    },
    everyMs: parts.everyMs,
    failed: parts.failed,
    clock,
  })

  return {
    ...runner,
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
  }
}
