import type { Selectable } from 'kysely'
import type { ChannelsTable } from '../../db/schema.ts'

export type ChannelRow = Selectable<ChannelsTable>
