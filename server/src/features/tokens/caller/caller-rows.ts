import { tokenStatus, userStatus } from '@tollgate/contract'
import { type SqlBool, sql } from 'kysely'
import type { Database } from '../../../db/database.ts'
import { quickQuestion } from '../../../db/sqlite/quick-reads.ts'
import { batchedLookup } from '../../../lib/batched-lookup.ts'
import { importedKeyHash } from '../../../lib/security/imported-credentials.ts'
import type { Secrets } from '../../../lib/security/secrets.ts'
import { keyColumns } from '../change.ts'
import type { CallerRows } from './directory.ts'

/** Keys that one query looks up; a flood of unknown ones takes a few queries a second. */
const mostAtOnce = 200

/** Roles with which people use projects (`features/organisations/rights.ts`). */
const usingRoles = ['owner', 'admin', 'member']

/** The place in which the person who was shown the secret of a machine's key may use its project; null where there is none. */
const placeOfMaker = (query: Database['query']) =>
  query
    .selectFrom('memberships as place')
    .innerJoin('users as maker', 'maker.id', 'place.user_id')
    .select(({ fn }) => fn.min('place.id').as('id'))
    .where('place.role', 'in', usingRoles)
    .where('maker.deleted_at', 'is', null)
    .where('maker.status', '=', userStatus.enabled)
    .where(sql<SqlBool>`place.user_id = tokens.secret_for and place.organisation_id = projects.organisation_id`)
    .where(sql<SqlBool>`tokens.member_id = 0 and place.team_id in (0, projects.team_id)`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('scim_users')
            .select('scim_users.id')
            .whereRef('scim_users.organisation_id', '=', 'place.organisation_id')
            .whereRef('scim_users.user_id', '=', 'place.user_id')
            .where('scim_users.state', '=', 'suspended'),
        ),
      ),
    )

/** Tokens joined with their owners, as the caller directory reads them. */
export const openCallerRows = (database: Database, secrets: Pick<Secrets, 'encrypt' | 'digest'>): CallerRows => {
  const tokens = () =>
    database.query
      .selectFrom('tokens')
      .leftJoin('users', (join) => join.onRef('users.id', '=', 'tokens.user_id').on('users.deleted_at', 'is', null))
      .leftJoin('users as members', (join) =>
        join.onRef('members.id', '=', 'tokens.member_id').on('members.deleted_at', 'is', null),
      )
      .leftJoin('projects', 'projects.id', 'tokens.project_id')
      .leftJoin('teams', 'teams.id', 'projects.team_id')
      .leftJoin('organisations', 'organisations.id', 'projects.organisation_id')
      .leftJoin('spend_caps as member_cap', (join) =>
        join
          .onRef('member_cap.organisation_id', '=', 'projects.organisation_id')
          .on('member_cap.subject', '=', 'member')
          .onRef('member_cap.subject_id', '=', 'tokens.member_id'),
      )
      .leftJoin('spend_caps as project_cap', (join) =>
        join
          .onRef('project_cap.organisation_id', '=', 'projects.organisation_id')
          .on('project_cap.subject', '=', 'project')
          .onRef('project_cap.subject_id', '=', 'tokens.project_id'),
      )
      .leftJoin('scim_users as suspension', (join) =>
        join
          .onRef('suspension.organisation_id', '=', 'projects.organisation_id')
          .onRef('suspension.user_id', '=', 'tokens.member_id')
          .on('suspension.state', '=', 'suspended'),
      )
      .select([
        'suspension.id as member_suspension',
        'tokens.project_id',
        'tokens.tags',
        'tokens.include_cost',
        'tokens.deadline_only',
        'projects.team_id',
        'tokens.member_id',
        'tokens.secret_for',
        placeOfMaker(database.query).as('secret_place'),
        'members.status as member_status',
        'projects.models as project_models',
        'projects.deleted_at as project_archived',
        'teams.models as team_models',
        'teams.deleted_at as team_archived',
        'organisations.deleted_at as organisation_archived',
        'organisations.models as organisation_models',
        'organisations.channels as organisation_channels',
        'teams.channels as team_channels',
        'projects.channels as project_channels',
        'member_cap.id as member_cap_id',
        'member_cap.period as member_cap_period',
        'project_cap.id as project_cap_id',
        'project_cap.period as project_cap_period',
        'tokens.id',
        'tokens.user_id',
        'tokens.name',
        'tokens.key_hash',
        'tokens.key_hint',
        'tokens.status',
        'tokens.expired_time',
        'tokens.remain_quota',
        'tokens.unlimited_quota',
        'tokens.model_limits_enabled',
        'tokens.model_limits',
        'tokens.allow_ips',
        'tokens.group',
        'users.username',
        'users.role',
        'users.status as user_status',
        'users.group as user_group',
        'users.setting',
      ])
      .where('tokens.deleted_at', 'is', null)

  /** Sets a status on an enabled token, if the row really is what the status says. */
  const marked = async (id: number, status: number, when: 'expired' | 'exhausted', now: number): Promise<boolean> => {
    const enabled = database.query
      .updateTable('tokens')
      .set({ status })
      .where('id', '=', id)
      .where('status', '=', tokenStatus.enabled)
    const narrowed =
      when === 'expired'
        ? enabled.where('expired_time', '<>', -1).where('expired_time', '<', now)
        : enabled.where('unlimited_quota', '=', 0).where('remain_quota', '<=', 0)
    return (await narrowed.executeTakeFirst()).numUpdatedRows > 0n
  }

  return {
    byHash: batchedLookup(async (keyHashes) => {
      const rows = await tokens().where('tokens.key_hash', 'in', keyHashes).modifyEnd(quickQuestion).execute()
      return new Map(rows.map((row) => [row.key_hash, row]))
    }, mostAtOnce),
    byId: (id) => tokens().where('tokens.id', '=', id).modifyEnd(quickQuestion).executeTakeFirst(),
    mostRecentlyUsed: (limit) =>
      tokens().orderBy('tokens.accessed_time', 'desc').orderBy('tokens.id', 'desc').limit(limit).execute(),
    adopt: async (id, key) => {
      await database.query
        .updateTable('tokens')
        .set(keyColumns(key, secrets))
        .where('id', '=', id)
        .where('key_hash', '=', importedKeyHash(key))
        .execute()
    },
    markSpent: async (id, now) =>
      (await marked(id, tokenStatus.expired, 'expired', now)) ||
      (await marked(id, tokenStatus.exhausted, 'exhausted', now)),
  }
}
