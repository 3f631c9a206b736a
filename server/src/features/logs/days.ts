import { logType } from '@tollgate/contract'
import type { Insertable } from 'kysely'
import type { Database } from '../../db/database.ts'
import { groupedAnew } from '../../db/dialect.ts'
import type { LogsTable } from '../../db/schema.ts'
import { noteUsage } from '../../ledger/usage/hours.ts'
import { dayTableOf, type UsageFilter, usageBegins, usageFits } from '../../reports/usage/usage.ts'
import { isTurned, type LogFilter } from './filter.ts'

/** Unix seconds, both ends included. */
export interface LogSpan {
  readonly from: number
  readonly to: number
}

/** Days that hold rows, of a user where that is known. */
export interface LogStretch extends LogSpan {
  readonly userId?: number
}

/** Days on which rows of a filter lie, from the daily sums. */
export interface LogDays {
  /** True if the sums cover this filter, and reading them finds its rows faster. */
  help(filter: LogFilter): boolean
  /**
   * Stretches of days that hold rows, newest first, then everything older than the sums; each list is read when asked for, and
   * its stretches belong together. Where a group is asked for, which has no index, and at most `mostUsers` called in it, they are theirs.
   */
  spans(filter: LogFilter, mostUsers: number): AsyncIterable<readonly LogStretch[]>
  /** Splits a filter's range into whole days that have sums, from the oldest row on, and the rest at its edges. */
  split(filter: LogFilter, oldest: number): Promise<{ whole?: LogSpan; edges: readonly LogSpan[] }>
  /** Says that there is a row which no charge and no failure speaks of, e.g. the test of a channel. */
  note(row: Insertable<LogsTable>): Promise<void>
  /** How many rows the whole days hold, up to a cap. */
  count(filter: LogFilter, days: LogSpan, cap: number): Promise<number>
}

/** For logs in a database without sums: every question is answered from the rows. */
export const noDays: LogDays = {
  help: () => false,
  async *spans() {},
  split: async () => ({ edges: [] }),
  note: async () => {},
  count: async () => 0,
}

const day = 86_400
/** Looked through one after the other, until the page is full. */
const steps = [7, 30, 120, 480].map((days) => days * day)
const longAgo = 0
/** Stretches of a user that are nearer to each other are one: a question costs more than the user's few rows between them. */
const userGap = 14 * day

const partsOf = ({ userId, tokenName, tokenId, tokenIds, model, channel, group }: LogFilter): number =>
  [userId !== undefined, tokenName, tokenId !== undefined, tokenIds, model, channel, group].filter(Boolean).length

/** True if the sums know what a filter asks for: they know requests only, no single one, and neither how they ended nor what made them. */
export const isOfSums = ({
  type = 0,
  requestId,
  providerRequestId = '',
  answerId = '',
  session = '',
  tag = '',
  endUser = '',
  provisional = '',
  end = '',
  client = '',
  minQuota = 0,
}: LogFilter): boolean =>
  requestId === '' &&
  providerRequestId === '' &&
  answerId === '' &&
  session === '' &&
  tag === '' &&
  endUser === '' &&
  provisional === '' &&
  end === '' &&
  client === '' &&
  minQuota <= 0 &&
  [0, logType.consume, logType.error].includes(type)

/** Filter of the sums: failures are counted apart, and a model is the same text as in the log. */
export const usageFilter = ({
  userId,
  tokenName,
  tokenId,
  tokenIds,
  model,
  channel,
  group,
  not,
}: LogFilter): UsageFilter => ({
  userId,
  tokenName,
  tokenId,
  tokenIds,
  model,
  channel,
  group,
  not,
})

/**
 * Rows where several parts of a filter meet would have to be looked for among all rows of one of them. The daily sums say
 * at once on which days there are any.
 */
export const createLogDays = (database: Database): LogDays => {
  const { query } = database

  const figuresIn = (filter: LogFilter, { from, to }: LogSpan) => {
    const rows = query
      // All tables of sums have the columns that a filter for them names.
      .selectFrom(dayTableOf(filter) as 'usage_hours')
      .where(usageFits(usageFilter(filter), { from, to: to + 1 }))
    if (filter.type === logType.consume) return rows.where('count', '>', 0)
    return filter.type === logType.error ? rows.where('failures', '>', 0) : rows
  }

  const daysIn = async (filter: LogFilter, span: LogSpan): Promise<number[]> => {
    const found = await figuresIn(filter, span).select('created_at').distinct().execute()
    return found.map(({ created_at }) => created_at).sort((left, right) => right - left)
  }

  /** Undefined where too many called, or where something with an index of its own is asked for. */
  const daysOfUsers = async (
    filter: LogFilter,
    { from, to }: LogSpan,
    most: number,
  ): Promise<readonly LogStretch[] | undefined> => {
    const { userId, tokenId, tokenName, model, channel, group } = filter
    if (userId !== undefined || tokenId !== undefined || tokenName || model || channel || !group) return undefined
    const rows = query
      .selectFrom('usage_days' as 'usage_hours')
      .where(usageFits(usageFilter(filter), { from, to: to + 1 }))
    const users = await rows
      .select(groupedAnew<number>(database.engine, 'user_id').as('user'))
      .distinct()
      .limit(most + 1)
      .execute()
    if (users.length > most || users.length === 0) return undefined
    const ids = users.map(({ user }) => user)
    const found = await rows
      .where('user_id', 'in', ids)
      .select(['user_id', 'created_at'])
      .distinct()
      .orderBy('created_at', 'desc')
      .execute()
    return [...Map.groupBy(found, ({ user_id }) => user_id)].flatMap(([user, own]) =>
      runsOf(
        own.map(({ created_at }) => created_at),
        userGap,
      ).map((run) => ({ ...run, userId: user })),
    )
  }

  return {
    help(filter) {
      const { type, userId, group } = filter
      // Nearly all rows are what they are not.
      if (!isOfSums(filter) || isTurned(filter)) return false
      const parts = partsOf(filter)
      // One kind of a user's rows has an index of its own.
      return parts > 1 || group !== '' || (parts > 0 && Boolean(type) && userId === undefined)
    },

    async *spans(filter, mostUsers) {
      const { from = longAgo, to = Number.MAX_SAFE_INTEGER } = filter
      const begins = await usageBegins(database)
      if (begins === undefined) {
        yield [{ from, to }]
        return
      }
      const newest = Math.min(to, await newestDay(database))
      const first = Math.max(from, begins)
      let end = newest
      for (const step of [...steps, Number.POSITIVE_INFINITY]) {
        if (end < first) break
        const start = Math.max(dayOf(first), dayOf(end) - step)
        const within = (stretch: LogStretch): LogStretch => ({
          ...stretch,
          from: Math.max(stretch.from, first),
          to: Math.min(stretch.to, to),
        })
        const days = { from: start, to: end }
        const ofUsers = await daysOfUsers(filter, days, mostUsers)
        if (ofUsers !== undefined) yield ofUsers.map(within)
        else
          for (const run of runsOf(await daysIn(filter, days)))
            yield ((await daysOfUsers(filter, run, mostUsers)) ?? [run]).map(within)
        end = start - 1
      }
      if (from < begins) yield [{ from, to: Math.min(to, begins - 1) }]
    },

    async split(filter, oldest) {
      const [begins, gone] = await Promise.all([usageBegins(database), deletedUntil(database, filter.type)])
      const from = Math.max(filter.from ?? 0, oldest)
      const to = filter.to || Number.MAX_SAFE_INTEGER
      if (begins === undefined) return { edges: [{ from, to }] }
      const whole = {
        from: dayOf(Math.max(from, begins, gone) + day - 1),
        to: Math.min(dayOf(to + 1) - 1, await newestDay(database)),
      }
      if (whole.from > whole.to) return { edges: [{ from, to }] }
      const edges = [
        { from, to: whole.from - 1 },
        { from: whole.to + 1, to },
      ]
      return { whole, edges: edges.filter((edge) => edge.from <= edge.to) }
    },

    note: ({ created_at, user_id, token_id, token_name, channel_id, group, model_name }) =>
      noteUsage(database, created_at, { user_id, token_id, token_name, channel_id, group, model_name }),

    async count(filter, days, cap) {
      const sums = await figuresIn(filter, days)
        .select(({ fn }) => [fn.sum('count').as('count'), fn.sum('failures').as('failures')])
        .executeTakeFirstOrThrow()
      const count = filter.type === logType.error ? 0 : Number(sums.count ?? 0)
      const failures = filter.type === logType.consume ? 0 : Number(sums.failures ?? 0)
      return Math.min(cap, count + failures)
    },
  }
}

const dayOf = (seconds: number): number => seconds - (seconds % day)

/** The first second whose rows were never deleted: the sums go on to count those that were. */
const deletedUntil = async ({ query }: Database, type: number = logType.unknown): Promise<number> => {
  const { last } = await query
    .selectFrom('log_purges')
    .select(({ fn }) => fn.max('before').as('last'))
    .where('type', 'in', [logType.unknown, type])
    .executeTakeFirstOrThrow()
  return Number(last ?? 0)
}

/** The end of the last day that has sums. */
const newestDay = async ({ query }: Database): Promise<number> => {
  const last = query.selectFrom('usage_hours').select('created_at').orderBy('created_at', 'desc').limit(1)
  return dayOf((await last.executeTakeFirst())?.created_at ?? 0) + day - 1
}

/** Days with at most `gap` seconds between their beginnings as one stretch; the newest stretch first. */
const runsOf = (days: readonly number[], gap = day): LogSpan[] => {
  const runs: LogSpan[] = []
  for (const start of days) {
    const last = runs.at(-1)
    if (last !== undefined && last.from <= start + gap) runs[runs.length - 1] = { from: start, to: last.to }
    else runs.push({ from: start, to: start + day - 1 })
  }
  return runs
}
