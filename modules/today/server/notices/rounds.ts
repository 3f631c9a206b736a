import type { TodaySums } from '@tollgate/contract'
import type { Transaction } from 'kysely'
import type { Database } from '#server/db/database.ts'
import type { Tables } from '#server/db/schema.ts'
import type { NoticeText } from '#server/features/notices/texts.ts'
import type { NamedClaim, NamedJob, NamedJobs } from '#server/jobs/named-jobs.ts'
import { type JobRunner, openJobRunner } from '#server/jobs/runner.ts'
import { type Clock, unixSeconds } from '#server/lib/clock.ts'
import type { StoredCard } from '../rules/rule.ts'
import type { RuledCard } from '../rules/rules.ts'
import { cardAppeared, dayInCards, type NoticeTextParts } from './notice-texts.ts'
import '../tables.ts'

export interface TodayRoundParts extends NoticeTextParts {
  readonly database: Pick<Database, 'query' | 'transaction'>
  readonly jobs: Pick<NamedJobs, 'store' | 'state'>
  /** Option TodayNotices. */
  mode(): 'off' | 'daily' | 'at_once'
  cards(): Promise<readonly RuledCard[]>
  /** Yesterday by UTC. */
  yesterday(): Promise<TodaySums>
  /** Function that queues a notice to the super admin in a transaction; undefined if it has no destination. */
  rootNotice(text: NoticeText): Promise<((trx: Transaction<Tables>) => Promise<boolean>) | undefined>
  failed(error: unknown): void
  /** Milliseconds between looks; absent where only calls look. */
  readonly everyMs?: number
  readonly clock: Clock
}

const daySeconds = 86_400
const sendAtSeconds = 8 * 3_600
/** A card that was away for so long is new when it comes back. */
const awaySeconds = 6 * 3_600
const atOnceJob: NamedJob = { id: 'today_notices', everySeconds: 300 }
const dailyJob: NamedJob = { id: 'today_daily' }

/**
 * Looks for notices about cards: the list of the day once a day, or each card as it appears. One node sends them; cards of which the
 * kernel sends a notice of its own are in the list of the day alone.
 */
export const openTodayRounds = (parts: TodayRoundParts): JobRunner<NamedJob> => {
  const { database, jobs, clock } = parts
  const { query } = database

  const sendNew = async (card: StoredCard, now: number): Promise<void> => {
    const add = await parts.rootNotice(cardAppeared(card, parts))
    await database.transaction(async (trx) => {
      if (add === undefined || !(await add(trx))) return
      await trx.insertInto('today_notices').values({ card: card.id, noticed_time: now, last_time: now }).execute()
    })
  }

  const lookAtOnce = async (claim: NamedClaim): Promise<void> => {
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
    claim.report(fresh.length, fresh.length, {})
  }

  /** The time of today at which the list is sent, unix seconds. */
  const dailyAt = (): number => {
    const now = unixSeconds(clock)
    return now - (now % daySeconds) + sendAtSeconds
  }

  const lookDaily = async (claim: NamedClaim): Promise<void> => {
    // Another node may have sent it between the look and the claim.
    if (claim.lastFinished >= dailyAt()) return
    const cards = (await parts.cards()).map(({ card }) => card)
    const add = await parts.rootNotice(dayInCards(cards, await parts.yesterday(), parts))
    if (add !== undefined) await database.transaction(add)
    claim.report(cards.length, cards.length, {})
  }

  const [atOnce, daily] = [jobs.store([atOnceJob]), jobs.store([dailyJob])]
  const dueJobs = async (most: number): Promise<readonly NamedJob[]> => {
    if (parts.mode() === 'at_once') return atOnce.due(most)
    if (parts.mode() !== 'daily') return []
    const isDue = unixSeconds(clock) >= dailyAt() && (await jobs.state(dailyJob.id)).startedTime < dailyAt()
    return isDue ? daily.due(most) : []
  }

  return openJobRunner({
    store: { due: dueJobs, claim: (job) => (job === atOnceJob ? atOnce : daily).claim(job) },
    work: (job, { claim }) => (job === atOnceJob ? lookAtOnce(claim) : lookDaily(claim)),
    everyMs: parts.everyMs,
    failed: parts.failed,
    clock,
  })
}
