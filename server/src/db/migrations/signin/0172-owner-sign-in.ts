import type { Kysely } from 'kysely'
import { addColumns } from '../../tables.ts'

/** When an owner of an organisation signed in by its provider: before that nobody knows that it works, and it is not enforced. */
export const ownerSignIn = {
  async up(on: Kysely<unknown>): Promise<void> {
    await addColumns(on, 'identity_providers', { owner_sign_in_time: 'count' })
  },
}
