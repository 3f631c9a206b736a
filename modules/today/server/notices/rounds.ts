import type { TodaySums } from '@tollgate/contract'
import type { Transaction } from 'kysely'
import type { ClusterJobs } from '#server/db/cluster-jobs.ts'
import type { Database } from '#server/db/database.ts'
import type { Tables } from '#server/db/schema.ts'
import type { NoticeText } from '#server/features/notices/texts.ts'
import { type Clock, unixSeconds } from '#server/lib/clock.ts'
import type { StoredCard } from '../rules/rule.ts'
import type { RuledCard } from '../rules/rules.ts'
import { cardAppeared, dayInCards, type NoticeTextParts } from './notice-texts.ts'
import '../tables.ts'

export interface TodayRoundParts extends NoticeTextParts {
  readonly database: Pick<Database, 'query' | 'transaction'>
  readonly jobs: Pick<ClusterJobs, 'begin' | 'beginIfDue' | 'state'>
  /** Option TodayNotices. */
  mode(): 'off' | 'daily' | 'at_once'
  cards(): Promise<readonly RuledCard[]>
  /** Yesterday by UTC. */
  yesterday(): Promise<TodaySums>
  /** Function that queues a notice to the super admin in a transaction; undefined if it has no destination. */
  rootNotice(text: NoticeText): Promise<((trx: Transaction<Tables>) => Promise<boolean>) | undefined>
  readonly clock: Clock
}

const roundSeconds = 300
const daySeconds = 86_400
const sendAtSeconds = 8 * 3_600
/** A card that was away for so long is new when it comes back. */
const awaySeconds = 6 * 3_600
const [atOnceJob, dailyJob] = ['today_notices', 'today_daily'] as const

/**
 * Makes one look for notices about cards: the list of the day once a day, or each card as it appears. One node sends them; cards of which
 * the kernel sends a notice of its own are in the list of the day alone.
 */
export const createTodayRounds = (parts: TodayRoundParts): (() => Promise<void>) => {
  const { database, jobs, clock } = parts
  const { query } = database

  const sendNew = async (card: StoredCard, now: number): Promise<void> => {
    const add = await parts.rootNotice(cardAppeared(card, parts))
    await database.transaction(async (trx) => {
      if (add === undefined || !(await add(trx))) return
      await trx.insertInto('today_notices').values({ card: card.id, noticed_time: now, last_time: now }).execute()
    })
  }

  const lookAtOnce = async (): Promise<void> => {
    const run = await jobs.beginIfDue(atOnceJob, roundSeconds)
    if (run === undefined) return
    const now = unixSeconds(clock)
    const found = (await parts.cards()).filter(({ rule, card }) => !rule.isNoticed && card.severity !== 'note')
    const ids = found.map(({ card }) => card.id)
    if (ids.length > 0)
      await query.updateTable('today_notices').set({ last_time: now }).where('card', 'in', ids).execute()
    await query
      .deleteFrom('today_notices')
      .where('last_time', '<', now - awaySeconds)
      .execute()
    const noticed = await query.selectFrom('today_notices').select('card').execute()
    const known = new Set(noticed.map(({ card }) => card))
    const fresh = found.filter(({ card }) => !known.has(card.id))
    for (const { card } of fresh) await sendNew(card, now)
    await run.end(fresh.length, fresh.length, {})
  }

  const lookDaily = async (): Promise<void> => {
    const now = unixSeconds(clock)
    const sendAt = now - (now % daySeconds) + sendAtSeconds
    if (now < sendAt || (await jobs.state(dailyJob)).startedTime >= sendAt) return
    const run = await jobs.begin(dailyJob)
    if (run === undefined) return
    const cards = (await parts.cards()).map(({ card }) => card)
    const add = await parts.rootNotice(dayInCards(cards, await parts.yesterday(), parts))
    if (add !== undefined) await database.transaction(add)
    await run.end(cards.length, cards.length, {})
  }

  return async () => {
    const mode = parts.mode()
    if (mode === 'at_once') await lookAtOnce()
    if (mode === 'daily') await lookDaily()
  }
}
