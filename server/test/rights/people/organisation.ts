import type { Transaction } from 'kysely'
import { insertReturningId } from '../../../src/db/dialect.ts'
import type { Tables } from '../../../src/db/schema.ts'
import type { Secrets } from '../../../src/lib/security/secrets.ts'
import { canary } from '../canaries.ts'
import { now } from './now.ts'
import { giveApiKey, insertUser } from './ways-in.ts'

/** An organisation of this owner, with a team, a project and a key in it. */
export const giveOrganisation = async (
  query: Transaction<Tables>,
  secrets: Secrets,
  userId: number,
): Promise<{ organisationId: number; projectKeyId: number }> => {
  const walletId = await insertUser(query, 1, 1, `org:${userId}`)
  const name = canary('organisation', userId)
  const common = { created_time: now(), deleted_at: null }
  const id = await insertReturningId(query, 'organisations', {
    name,
    wallet_user_id: walletId,
    domain: '',
    ...common,
  })
  await query.updateTable('users').set({ organisation_id: id }).where('id', '=', walletId).execute()
  const teamId = await insertReturningId(query, 'teams', { organisation_id: id, name, models: '', ...common })
  const place = { organisation_id: id, team_id: teamId }
  const projectId = await insertReturningId(query, 'projects', { ...place, name, models: '', ...common })
  const { tokenId } = await giveApiKey(query, secrets, walletId)
  await query
    .updateTable('tokens')
    .set({ project_id: projectId, member_id: userId, name })
    .where('id', '=', tokenId)
    .execute()
  const membership = { organisation_id: id, team_id: 0, user_id: userId, role: 'owner', created_time: now() }
  await query.insertInto('memberships').values(membership).execute()
  return { organisationId: id, projectKeyId: tokenId }
}
