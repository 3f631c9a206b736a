import { type Insertable, type Selectable, type Updateable } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { ChannelsTable } from '../../db/schema.ts'

export type ChannelRow = Selectable<ChannelsTable>
export type NewChannel = Omit<Insertable<ChannelsTable>, 'id' | 'used_quota'>
export type ChannelChange = Updateable<ChannelsTable>

/** A channel switched off by the gateway itself. `time` in unix seconds. */
export interface Disabling {
  readonly id: number
  readonly reason: string
  readonly time: number
}
