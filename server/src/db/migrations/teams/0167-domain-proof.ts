import type { Kysely } from 'kysely'
import { addColumns } from '../../tables.ts'

/** A domain that an organisation proved by a record of its DNS. */
export const domainProof = {
  async up(on: Kysely<unknown>): Promise<void> {
    await addColumns(on, 'organisations', { domain_proof: 'key?', domain_proved_time: 'count' })
  },
}
