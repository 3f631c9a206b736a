import type { NamedSubject } from '@tollgate/contract'
import type { Transaction } from 'kysely'
import type { Database } from '../../db/database.ts'
import { isUniqueViolation } from '../../db/dialect.ts'
import type { Tables } from '../../db/schema.ts'
import { createBoundedCache } from '../../lib/caches/bounded-cache.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import type { Counter } from '../../limits/counter.ts'
import { subjectText } from '../../limits/limit-texts.ts'
import type { ChannelNames } from './channel-names.ts'
import { openPaceStore } from './pace-store.ts'
import { openPaceWatch } from './pace-watch.ts'
import { forecastOf, subjectsOf } from './states.ts'
import { withNames } from './subject-names.ts'

/** How far a limit is used. */
export interface Reached {
  readonly name: string
  /** 0 where the pace is unusual. */
  readonly percent: number
  /** When it is used up at this pace; undefined where it lasts. */
  readonly usedUpAt: Date | undefined
  readonly subject: Readonly<Record<'zh' | 'en', string>>
  /** Amounts as people read them. */
  readonly used: string
  readonly amount: string
}

export interface BudgetWatchParts {
  readonly database: Pick<Database, 'query' | 'transaction'>
  readonly channels: ChannelNames
  readonly clock: Clock
  /** Counters that have to tell how far they are. */
  telling(): readonly Counter[]
  /** Counters that tell of an unusual pace. */
  watched(): readonly Counter[]
  /** The same for a reader by address: of mail, or of a webhook. */
  noticeTo(target: string, reached: Reached): Promise<((trx: Transaction<Tables>) => Promise<unknown>) | undefined>
  /** Function that queues a notice to a user, or to the super admin; undefined if the notice has no destination. */
  noticeOf(
    userId: number | undefined,
    reached: Reached,
  ): Promise<((trx: Transaction<Tables>) => Promise<unknown>) | undefined>
  readonly amountText: (quota: number) => string
}

/** Remembered so that the database is not asked again; more begin anew, and the database knows. */
const mostSent = 50_000

/** The beginning of the window for which a notice is due. A rolling window has one notice in its length. */
const windowAt = (counter: Counter, now: number): number => {
  const { window } = counter.compiled
  if (!window.rolls) return counter.piece
  const length = window.freeAt(counter.piece) - counter.piece
  return now - (now % length)
}

/** Tells of budgets that reach one of their percentages: once for each window, over all nodes and restarts. */
export const openBudgetWatch = (parts: BudgetWatchParts): { look(): Promise<void> } => {
  const { database, clock } = parts
  const sent = createBoundedCache<string, true>({ entries: mostSent })

  /** User whose calls are counted, if it is a single one. */
  const userOf = async ({ compiled, values }: Counter): Promise<number | undefined> => {
    const at = compiled.limit.subjects.findIndex(({ kind }) => kind === 'user' || kind === 'key')
    const kind = compiled.limit.subjects[at]?.kind
    if (kind === undefined) return undefined
    const id = Number(values[at])
    if (kind === 'user') return id
    const row = await database.query.selectFrom('tokens').select('user_id').where('id', '=', id).executeTakeFirst()
    return row?.user_id
  }

  /** The site's go to the super admin and the user, those of a user to that user alone. */
  const readersOf = async (counter: Counter): Promise<readonly (number | undefined)[]> => {
    const { owner_id: owner } = counter.compiled.limit
    if (owner > 0) return [owner]
    const user = await userOf(counter)
    return user === undefined ? [undefined] : [undefined, user]
  }

  const reachedBy = (counter: Counter, percent: number, subjects: readonly NamedSubject[]): Reached => {
    const { limit } = counter.compiled
    const shown = (figure: number): string => (limit.measure === 'money' ? parts.amountText(figure) : String(figure))
    const [used, amount] = [shown(counter.usedByAll), shown(limit.amount)]
    const until = forecastOf(counter, clock())
    const usedUp = until === 0 ? undefined : new Date(until * 1000)
    return { name: limit.name, percent, subject: subjectText(subjects), used, amount, usedUpAt: usedUp }
  }

  const tell = async (counter: Counter, percent: number, at: number): Promise<void> => {
    const { limit } = counter.compiled
    const nameOf = await withNames({ query: database.query, channels: parts.channels }, subjectsOf(counter))
    const reached = reachedBy(counter, percent, subjectsOf(counter).map(nameOf))
    const adds = await Promise.all([
      ...(await readersOf(counter)).map((reader) => parts.noticeOf(reader, reached)),
      ...limit.also_notify.map((target) => parts.noticeTo(target, reached)),
    ])
    const row = { limit_id: limit.id, subject: counter.digest, at, created_time: unixSeconds(clock) }
    try {
      await database.transaction(async (trx) => {
        await trx
          .insertInto('limit_notices')
          .values({ ...row, percent })
          .execute()
        for (const add of adds) await add?.(trx)
      })
    } catch (error) {
      // Another process was first.
      if (!isUniqueViolation(error)) throw error
    }
  }

  const paces = openPaceWatch({
    store: openPaceStore(database),
    clock,
    watched: parts.watched,
    async tell(counter) {
      await tell(counter, 0, windowAt(counter, clock()))
    },
  })

  return {
    async look() {
      await paces.look()
      const now = clock()
      for (const counter of parts.telling()) {
        const { tell_at: percents, amount } = counter.compiled.limit
        const at = windowAt(counter, now)
        const due = percents.filter((percent) => counter.usedByAll * 100 >= percent * amount)
        const most = due.length === 0 ? 0 : Math.max(...due)
        const mark = `${counter.name} ${at} ${most}`
        if (most === 0 || sent.get(mark) === true) continue
        await tell(counter, most, at)
        sent.set(mark, true)
      }
    },
  }
}
