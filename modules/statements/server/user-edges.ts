import type { Database } from '#server/db/database.ts'
import type { MonthPeriod } from '#server/reports/months/months.ts'
import { type EntrySum, edgesOf, partBefore, sumEntries } from '#server/reports/months/part-hours.ts'

/** Sums of users' entries in the parts of hours, by user: before a period begins, and within it at both of its ends. */
export interface UserEdges {
  readonly before: ReadonlyMap<number, readonly EntrySum[]>
  readonly within: ReadonlyMap<number, readonly EntrySum[]>
}

/** Reads the parts of hours of a period for all users at once. */
export const readUserEdges = async (database: Database, { from, to }: MonthPeriod): Promise<UserEdges> => {
  const part = partBefore(from)
  const [before, ...within] = await Promise.all(
    [part, ...edgesOf({ from, to })].map((span) => (span ? sumEntries(database, 'user', undefined, span) : [])),
  )
  const byUser = (sums: readonly EntrySum[]) => Map.groupBy(sums, ({ accountId }) => accountId)
  return { before: byUser(before ?? []), within: byUser(within.flat()) }
}
