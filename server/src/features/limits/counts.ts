import type { Database } from '../../db/database.ts'
import { upsert } from '../../db/dialect.ts'
import type { StoredCounts } from '../../limits/limiter-parts.ts'

/** Rows of one statement. */
const mostRows = 300
/** Milliseconds. The longest window, and a day. */
const keptMs = 40 * 86_400_000

/** Use of limits by each process, in the database: each writes its own totals, so that writing twice changes nothing. */
export const openStoredCounts = ({ query }: Pick<Database, 'query'>, node: string): StoredCounts => ({
  async read(limitId, digest, since) {
    const rows = await query
      .selectFrom('limit_counts')
      .select(['node', 'at', 'used'])
      .where('limit_id', '=', limitId)
      .where('subject', '=', digest)
      .where('at', '>=', since)
      .execute()
    return rows.map((row) => [row.node, row.at, row.used])
  },

  async write(counts) {
    for (let from = 0; from < counts.length; from += mostRows) {
      const rows = counts
        .slice(from, from + mostRows)
        .map(({ limitId: limit_id, digest: subject, at, used }) => ({ limit_id, subject, at, node, used }))
      await upsert(query, 'limit_counts', rows, { key: ['limit_id', 'subject', 'at', 'node'], set: ['used'] })
    }
  },
})

/** Milliseconds. A year of months is compared. */
const pacesKeptMs = 400 * 86_400_000

/** Removes counts of windows that are over. Those of limits without an end begin at 0 and stay. */
export const purgeCounts = async ({ query }: Pick<Database, 'query'>, now: number): Promise<void> => {
  const before = now - keptMs
  await query.deleteFrom('limit_counts').where('at', '>', 0).where('at', '<', before).execute()
  await query.deleteFrom('limit_notices').where('at', '>', 0).where('at', '<', before).execute()
  await query
    .deleteFrom('limit_paces')
    .where('at', '<', now - pacesKeptMs)
    .execute()
}
