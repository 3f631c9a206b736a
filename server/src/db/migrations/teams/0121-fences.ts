import type { Kysely } from 'kysely'
import { addColumns } from '../../tables.ts'

/** Which models an organisation may use, which channels it, its teams and projects may use, and its time zone; null for all, and for UTC. */
export const fences = {
  async up(on: Kysely<unknown>): Promise<void> {
    await addColumns(on, 'organisations', { models: 'text?', channels: 'text?', time_zone: 'key?' })
    await addColumns(on, 'teams', { channels: 'text?' })
    await addColumns(on, 'projects', { channels: 'text?' })
  },
}
