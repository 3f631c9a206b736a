import { z } from 'zod'
import type { Database } from '../../db/database.ts'
import { upsert } from '../../db/dialect.ts'
import { mostWindows, type PaceSums, paceParts } from '../../limits/pace.ts'

/** How windows of a counter were used over their time. */
export interface PaceStore {
  /** Of the windows that began before `at`, the latest first, and of this one where it is known. */
  read(limitId: number, digest: string, at: number): Promise<{ readonly before: PaceSums[]; readonly own: PaceSums }>
  write(limitId: number, digest: string, at: number, sums: PaceSums): Promise<void>
}

const stored = z.array(z.number().nullable()).max(paceParts)

const sumsOf = (text: string): PaceSums => stored.parse(JSON.parse(text)).map((sum) => sum ?? undefined)

export const openPaceStore = ({ query }: Pick<Database, 'query'>): PaceStore => ({
  async read(limitId, digest, at) {
    const rows = await query
      .selectFrom('limit_paces')
      .select(['at', 'used'])
      .where('limit_id', '=', limitId)
      .where('subject', '=', digest)
      .where('at', '<=', at)
      .orderBy('at', 'desc')
      .limit(mostWindows + 1)
      .execute()
    const own = rows.find((row) => row.at === at)
    return {
      own: own === undefined ? [] : sumsOf(own.used),
      before: rows.filter((row) => row.at < at).map(({ used }) => sumsOf(used)),
    }
  },

  async write(limit_id, subject, at, sums) {
    const used = JSON.stringify(Array.from(sums, (sum) => sum ?? null))
    await upsert(query, 'limit_paces', [{ limit_id, subject, at, used }], {
      key: ['limit_id', 'subject', 'at'],
      set: ['used'],
    })
  },
})
