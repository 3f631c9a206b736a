import type { Kysely } from 'kysely'
import { addColumns } from '../../tables.ts'

/** Status of the last test of a channel that failed. Tests before count as good. */
export const channelTestStatus = {
  up: (on: Kysely<unknown>): Promise<void> => addColumns(on, 'channels', { test_status: 'count' }),
}
