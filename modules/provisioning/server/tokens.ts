import { type BodyOf, type createScimToken, mostScimTokens, type ScimToken } from '@tollgate/contract'
import { insertReturningId } from '#server/db/dialect.ts'
import { type OrganisationParts, traceOf } from '#server/features/organisations/parts.ts'
import { assertMay, type OrganisationAccess } from '#server/features/organisations/rights.ts'
import type { Actor } from '#server/http/actor.ts'
import { AppError } from '#server/lib/app-error.ts'
import { unixSeconds } from '#server/lib/clock.ts'
import { randomAlphanumerics } from '#server/lib/ids.ts'
import type { ScimPlace } from './parts.ts'

const secretLength = 43
const tokenPattern = /^scim_[A-Za-z0-9]{43}$/
/** Seconds: the last use is written at most this often. */
const noteEvery = 60

export interface ScimTokens {
  list(access: OrganisationAccess): Promise<ScimToken[]>
  /** Answers the token, which is stored nowhere. Throws AppError('scim_tokens_full'). */
  create(access: OrganisationAccess, actor: Actor, body: BodyOf<typeof createScimToken>): Promise<string>
  /** Ends a token. Throws AppError('not_found'). */
  revoke(access: OrganisationAccess, actor: Actor, id: number): Promise<void>
  /** Organisation and token of a request; undefined for a token that is unknown, revoked or expired. */
  open(token: string): Promise<Omit<ScimPlace, 'ip' | 'base'> | undefined>
}

export const openScimTokens = (parts: OrganisationParts): ScimTokens => {
  const { database, secrets, audit } = parts
  const { query } = database
  const now = (): number => unixSeconds(parts.clock)
  const hashOf = (token: string): string => secrets.digest('proof', `scim ${token}`)

  return {
    async list(access) {
      assertMay(access, 'manage_members')
      const rows = await query
        .selectFrom('scim_tokens as t')
        .leftJoin('users as u', 'u.id', 't.made_by')
        .select(['t.id', 't.name', 't.hint', 't.created_time', 't.expires_time', 't.last_used_time', 'u.username'])
        .where('t.organisation_id', '=', access.organisationId)
        .orderBy('t.id', 'desc')
        .execute()
      return rows.map(({ username, ...row }) => ({ ...row, made_by: username ?? '' }))
    },

    async create(access, actor, { name, days }) {
      assertMay(access, 'manage_members')
      const token = `scim_${randomAlphanumerics(secretLength)}`
      await database.transaction(async (trx) => {
        const present = await trx
          .selectFrom('scim_tokens')
          .select('id')
          .where('organisation_id', '=', access.organisationId)
          .execute()
        if (present.length >= mostScimTokens)
          throw new AppError('scim_tokens_full', { params: { count: mostScimTokens } })
        const id = await insertReturningId(trx, 'scim_tokens', {
          organisation_id: access.organisationId,
          name,
          secret_hash: hashOf(token),
          hint: token.slice(-4),
          made_by: actor.id,
          created_time: now(),
          expires_time: days === 0 ? 0 : now() + days * 86_400,
        })
        await audit.record(traceOf(actor, 'scim_token', access.organisationId, { token_id: id, name, days }), trx)
      })
      return token
    },

    async revoke(access, actor, id) {
      assertMay(access, 'manage_members')
      await database.transaction(async (trx) => {
        const done = await trx
          .deleteFrom('scim_tokens')
          .where('id', '=', id)
          .where('organisation_id', '=', access.organisationId)
          .executeTakeFirst()
        if (done.numDeletedRows === 0n) throw new AppError('not_found')
        await audit.record(traceOf(actor, 'scim_token_revoke', access.organisationId, { token_id: id }), trx)
      })
    },

    async open(token) {
      if (!tokenPattern.test(token)) return undefined
      const at = now()
      const row = await query
        .selectFrom('scim_tokens as t')
        .innerJoin('organisations as o', 'o.id', 't.organisation_id')
        .select(['t.id', 't.name', 't.made_by', 't.expires_time', 't.last_used_time'])
        .select([
          'o.id as organisationId',
          'o.name as organisation',
          'o.domain',
          'o.wallet_user_id',
          'o.provisioned_role',
        ])
        .where('t.secret_hash', '=', hashOf(token))
        .where('o.deleted_at', 'is', null)
        .executeTakeFirst()
      if (row === undefined || (row.expires_time !== 0 && row.expires_time <= at)) return undefined
      if (at - row.last_used_time >= noteEvery)
        await query.updateTable('scim_tokens').set({ last_used_time: at }).where('id', '=', row.id).execute()
      return {
        organisationId: row.organisationId,
        walletId: row.wallet_user_id,
        name: row.organisation,
        domain: row.domain,
        role: provisionedRoleOf(row.provisioned_role),
        token: { id: row.id, name: row.name, madeBy: row.made_by },
      }
    },
  }
}

/** The role that a column holds: null for member, empty for none. */
export const provisionedRoleOf = (text: string | null): 'member' | 'viewer' | undefined => {
  if (text === null) return 'member'
  return text === 'member' || text === 'viewer' ? text : undefined
}
