import type { Time } from '#server/db/schema/columns.ts'

/** How far a sink is that usage is sent to. */
export interface UsageSinksTable {
  name: string
  /** The last row of the log that it has. */
  cursor_id: number
  /** Records that it took. */
  sent: number
  sent_time: Time
  /** Since the last success. */
  failures: number
  error: string
  retry_time: Time
}

export interface UsageSinkTables {
  usage_sinks: UsageSinksTable
}

declare module '#server/db/schema.ts' {
  interface Tables extends UsageSinkTables {}
}
