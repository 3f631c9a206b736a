import type { Kysely } from 'kysely'
import { addColumns } from '../../tables.ts'

/** How long a prompt a channel should get. */
export const channelLimits = {
  up: (on: Kysely<unknown>): Promise<void> => addColumns(on, 'channels', { max_input_tokens: 'count' }),
}
