import { role } from '@tollgate/contract'
import type { Transaction } from 'kysely'
import { insertReturningId } from '#server/db/dialect.ts'
import type { Tables } from '#server/db/schema.ts'
import { unixSeconds } from '#server/lib/clock.ts'
import type { ImportRun } from '../run.ts'
import type { MovedMember } from '../site.ts'

interface Chosen {
  readonly member: MovedMember
  readonly organisation_id: number
  readonly team_id: number
  readonly user_id: number
}

/** Moves who belongs to which organisation and team, with their caps. */
export const createMemberWriter = (run: ImportRun) => {
  const { map, target, notes } = run
  const { database, clock } = target

  const choose = async (members: readonly MovedMember[]): Promise<readonly Chosen[]> => {
    const ids = await map.known(
      'organisation',
      members.map(({ organisationId }) => organisationId),
    )
    const teams = await map.known(
      'team',
      members.map(({ teamId }) => teamId),
    )
    const users = await map.known(
      'user',
      members.map(({ userId }) => userId),
    )
    return members.flatMap((member) => {
      const organisation_id = ids.get(member.organisationId)
      const team_id = member.teamId === '' ? 0 : teams.get(member.teamId)
      const user_id = users.get(member.userId)
      if (organisation_id === undefined || team_id === undefined || user_id === undefined) return []
      return [{ member, organisation_id, team_id, user_id }]
    })
  }

  const insertCap = async (
    trx: Transaction<Tables>,
    { member: { cap }, organisation_id, user_id }: Chosen,
  ): Promise<void> => {
    if (cap === undefined) return
    const subject = { organisation_id, subject: 'member', subject_id: user_id }
    await insertReturningId(trx, 'spend_caps', { ...subject, ...cap })
  }

  const insertAll = (chosen: readonly Chosen[]): Promise<void> =>
    database.transaction(async (trx) => {
      const made = new Map<string, number>()
      for (const entry of chosen) {
        const { member, organisation_id, team_id, user_id } = entry
        const row = { organisation_id, team_id, user_id, role: member.role, created_time: unixSeconds(clock) }
        made.set(member.sourceId, await insertReturningId(trx, 'memberships', row))
        await insertCap(trx, entry)
      }
      await map.add(trx, 'member', made)
    })

  /** The first of those here who may do most. */
  const firstAdministrator = async (): Promise<number | undefined> => {
    const found = await database.query
      .selectFrom('users')
      .select('id')
      .where('role', '>=', role.admin)
      .where('deleted_at', 'is', null)
      .orderBy('role', 'desc')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    return found?.id
  }

  const isOwned = async (organisationId: number): Promise<boolean> => {
    const owners = database.query.selectFrom('memberships').select('id').where('organisation_id', '=', organisationId)
    return (await owners.where('role', '=', 'owner').limit(1).executeTakeFirst()) !== undefined
  }

  return {
    async write(members: readonly MovedMember[]): Promise<void> {
      if (members.length === 0) return
      const known = await map.known(
        'member',
        members.map(({ sourceId }) => sourceId),
      )
      const chosen = await choose(members.filter(({ sourceId }) => !known.has(sourceId)))
      run.count('member', { found: members.length, known: known.size, carried: chosen.length })
      if (!run.dryRun && chosen.length > 0) await insertAll(chosen)
    },

    /** Gives organisations without an owner, whom nobody could manage, to an administrator of the site. */
    async nameOwners(): Promise<void> {
      if (run.dryRun) return
      const moved = await database.query
        .selectFrom('import_rows')
        .select(['source_id', 'target_id as organisation_id'])
        .where('site', '=', run.site)
        .where('kind', '=', 'organisation')
        .execute()
      for (const { source_id, organisation_id } of moved) {
        if (await isOwned(organisation_id)) continue
        const user_id = await firstAdministrator()
        if (user_id === undefined) notes.note('organisation_no_owner', source_id)
        else
          await database.query
            .insertInto('memberships')
            .values({ organisation_id, team_id: 0, user_id, role: 'owner', created_time: unixSeconds(clock) })
            .execute()
      }
    },
  }
}
