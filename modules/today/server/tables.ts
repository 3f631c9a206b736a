import type { Id, Time } from '#server/db/schema/columns.ts'

/** A card that a user hid. */
export interface TodaySnoozesTable {
  id: Id
  user_id: number
  card: string
  until_time: Time
}

/** A card that the super admin had a notice of, while it applies. */
export interface TodayNoticesTable {
  id: Id
  card: string
  noticed_time: Time
  /** When the card was seen last. */
  last_time: Time
}

export interface TodayTables {
  today_snoozes: TodaySnoozesTable
  today_notices: TodayNoticesTable
}

declare module '#server/db/schema.ts' {
  interface Tables extends TodayTables {}
}
