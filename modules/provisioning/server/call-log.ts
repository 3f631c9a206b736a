import type { ScimCall } from '@tollgate/contract'
import type { Database } from '#server/db/database.ts'
import { insertReturningId } from '#server/db/dialect.ts'
import { type Clock, unixSeconds } from '#server/lib/clock.ts'

/** Calls that are kept of an organisation: so many that succeeded, and as many that were refused. */
const keptCalls = 100
const sweepEvery = 20
const longestPath = 500

export interface ScimCallLog {
  add(call: Omit<ScimCall, 'id' | 'created_time'> & { readonly organisationId: number }): Promise<void>
  /** The latest first. */
  list(organisationId: number): Promise<ScimCall[]>
}

/** The latest calls of identity providers, so that the people who set one up see what it asked and why it was refused. */
export const openScimCallLog = ({ database, clock }: { database: Database; clock: Clock }): ScimCallLog => {
  const { query } = database
  const some = (organisationId: number, refused: boolean) =>
    query
      .selectFrom('scim_calls')
      .where('organisation_id', '=', organisationId)
      .where('status', refused ? '>=' : '<', 400)

  const sweep = async (organisationId: number): Promise<void> => {
    for (const refused of [false, true]) {
      const oldest = await some(organisationId, refused)
        .select('id')
        .orderBy('id', 'desc')
        .offset(keptCalls)
        .limit(1)
        .executeTakeFirst()
      if (oldest === undefined) continue
      await query
        .deleteFrom('scim_calls')
        .where('organisation_id', '=', organisationId)
        .where('status', refused ? '>=' : '<', 400)
        .where('id', '<=', oldest.id)
        .execute()
    }
  }

  return {
    async add({ organisationId, token_name, method, path, status, detail }) {
      const id = await insertReturningId(query, 'scim_calls', {
        organisation_id: organisationId,
        token_name,
        created_time: unixSeconds(clock),
        method,
        status,
        path: path.slice(0, longestPath),
        detail: detail.slice(0, longestPath),
      })
      if (id % sweepEvery === 0) await sweep(organisationId)
    },
    async list(organisationId) {
      const columns = ['id', 'token_name', 'created_time', 'method', 'path', 'status', 'detail'] as const
      const [succeeded, refused] = await Promise.all(
        [false, true].map((one) =>
          some(organisationId, one)
            .select(columns)
            .orderBy('id', 'desc')
            .limit(keptCalls / 2)
            .execute(),
        ),
      )
      return [...(succeeded ?? []), ...(refused ?? [])].toSorted((left, right) => right.id - left.id)
    },
  }
}
