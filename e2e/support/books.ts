import type { LogEntry, LogOther, Page, Receipt, User } from '@tollgate/contract'
import type { Person } from './operator.ts'

/** A row of the log with its `other` column read. */
export type Entry = Omit<LogEntry, 'other'> & { readonly other: LogOther }

export interface Books {
  /** The row of a call, once it is written. */
  entry(requestId: string): Promise<Entry>
  /** The newest row of all. */
  newest(): Promise<Entry | undefined>
  /** Balance of a user in the database. */
  balance(userId: number): Promise<number>
}

const patienceMs = 10_000

const read = (row: LogEntry): Entry => ({ ...row, other: row.other === '' ? {} : (JSON.parse(row.other) as LogOther) })

const rowsOf = async (reader: Person, path: string, requestId: string): Promise<Entry[]> => {
  const { items } = await reader.must<Page<LogEntry>>('GET', `${path}?request_id=${requestId}`)
  return items.map(read)
}

/** The log as the operator reads it. Rows are written after the answer has gone, so they are waited for. */
export const openBooks = (operator: Person): Books => ({
  async entry(requestId) {
    const until = Date.now() + patienceMs
    for (;;) {
      const [row, ...others] = await rowsOf(operator, '/api/log/', requestId)
      if (others.length > 0) throw new Error(`request ${requestId} has ${others.length + 1} rows`)
      if (row !== undefined) return row
      if (Date.now() > until) throw new Error(`request ${requestId} has no row`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  },
  newest: async () => (await rowsOf(operator, '/api/log/', ''))[0],
  balance: async (userId) => (await operator.must<User>('GET', `/api/user/${userId}`)).quota,
})

/** The same call as its own user reads it. */
export const ownEntry = async (person: Person, requestId: string): Promise<Entry | undefined> =>
  (await rowsOf(person, '/api/log/self', requestId))[0]

const sum = (lines: readonly { quantity: number; price: string }[] = []): number =>
  lines.reduce((total, { quantity, price }) => total + quantity * Number(price), 0)

/**
 * Sum of a receipt by tokens: (Σ quantity × price) × model ratio × tier ratio × group ratio, and tools at their price by the thousand ×
 * quota per unit × group ratio; rounded once.
 */
export const sumOf = ({ lines, tools, tier, model_ratio, group_ratio, quota_per_unit }: Receipt): number => {
  const tokens = sum(lines) * Number(model_ratio) * Number(tier?.ratio ?? 1)
  return Math.round((tokens + (sum(tools) / 1000) * Number(quota_per_unit)) * Number(group_ratio))
}
