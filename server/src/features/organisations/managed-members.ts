import type { OrganisationRole } from '@tollgate/contract'
import type { Transaction } from 'kysely'
import { isUniqueViolation } from '../../db/dialect.ts'
import type { Tables } from '../../db/schema.ts'
import type { Actor } from '../../http/actor.ts'
import { unixSeconds } from '../../lib/clock.ts'
import { giveRole, isMember, switchOffKeys, takeRole } from './members.ts'
import { type OrganisationParts, traceOf } from './parts.ts'
import { ranks } from './rights.ts'

/** A role in an organisation (team 0) or in a team. */
export interface ManagedPlace {
  readonly organisationId: number
  readonly teamId: number
  readonly role: Exclude<OrganisationRole, 'owner'>
}

export interface ManagedMembership {
  /** Of the identity provider. */
  readonly providerId: number
  /** Whether roles that were given by hand are changed, too; owners keep theirs. */
  readonly replacesManual: boolean
  /** What the groups of the person say; of two roles in one place the higher counts. */
  readonly places: readonly ManagedPlace[]
}

type Parts = Pick<OrganisationParts, 'database' | 'audit' | 'userChanged' | 'clock'>

const keyOf = ({ organisationId, teamId }: Pick<ManagedPlace, 'organisationId' | 'teamId'>): string =>
  `${organisationId}/${teamId}`

const highest = (places: readonly ManagedPlace[]): ReadonlyMap<string, ManagedPlace> => {
  const wanted = new Map<string, ManagedPlace>()
  for (const place of places) {
    const before = wanted.get(keyOf(place))
    if (before === undefined || ranks.indexOf(place.role) > ranks.indexOf(before.role)) wanted.set(keyOf(place), place)
  }
  return wanted
}

/** Places that exist: organisations and teams may be gone since the rule was written. */
const existing = async (trx: Transaction<Tables>, wanted: ReadonlyMap<string, ManagedPlace>) => {
  const places = [...wanted.values()]
  if (places.length === 0) return new Map<string, ManagedPlace>()
  const organisations = await trx
    .selectFrom('organisations')
    .select('id')
    .where('deleted_at', 'is', null)
    .where('id', 'in', [...new Set(places.map(({ organisationId }) => organisationId))])
    .execute()
  const teams = await trx
    .selectFrom('teams')
    .select(['id', 'organisation_id'])
    .where('deleted_at', 'is', null)
    .where('id', 'in', [...new Set(places.map(({ teamId }) => teamId))])
    .execute()
  const known = new Set([
    ...organisations.map(({ id }) => keyOf({ organisationId: id, teamId: 0 })),
    ...teams.map(({ id, organisation_id }) => keyOf({ organisationId: organisation_id, teamId: id })),
  ])
  const living = new Set(organisations.map(({ id }) => id))
  return new Map([...wanted].filter(([key, place]) => known.has(key) && living.has(place.organisationId)))
}

/**
 * Brings the memberships of a person in line with what their identity provider says: adds, changes and takes away those that the
 * provider manages. Those given by hand stay, unless the provider replaces them; what was changed by hand later counts as given by hand.
 */
export const applyManagedMembership = async (
  parts: Parts,
  person: Actor,
  membership: ManagedMembership,
): Promise<void> => {
  const wallets = await applied(parts, person, membership).catch((error: unknown) => {
    // Another sign-in of the person, in the same moment, gave a role first.
    if (isUniqueViolation(error)) return applied(parts, person, membership)
    throw error
  })
  for (const wallet of wallets) parts.userChanged(wallet)
}

/** Answers the wallets of the organisations that were touched. */
const applied = (
  parts: Parts,
  person: Actor,
  { providerId, replacesManual, places }: ManagedMembership,
): Promise<number[]> =>
  parts.database.transaction(async (trx) => {
    const wanted = await existing(trx, highest(places))
    const rows = await trx.selectFrom('memberships').selectAll().where('user_id', '=', person.id).execute()
    const held = new Map(rows.map((row) => [keyOf({ organisationId: row.organisation_id, teamId: row.team_id }), row]))
    const touched = new Set<number>()
    for (const [key, { organisationId, teamId, role }] of wanted) {
      const row = held.get(key)
      if (row !== undefined) {
        const manages = row.provider_id === providerId || (replacesManual && row.role !== 'owner')
        if (!manages || (row.role === role && row.provider_id === providerId)) continue
      }
      await giveRole(trx, { organisationId, teamId, userId: person.id }, role, unixSeconds(parts.clock), providerId)
      const after = { user_id: person.id, team_id: teamId, role, identity_provider: providerId }
      await parts.audit.record(traceOf(person, row === undefined ? 'join' : 'member', organisationId, after), trx)
      touched.add(organisationId)
    }
    for (const [key, row] of held) {
      if (row.provider_id !== providerId || wanted.has(key)) continue
      const organisationId = row.organisation_id
      await takeRole(trx, { organisationId, teamId: row.team_id, userId: person.id })
      const after = { user_id: person.id, team_id: row.team_id, role: null, identity_provider: providerId }
      await parts.audit.record(traceOf(person, 'member', organisationId, after), trx)
      touched.add(organisationId)
    }
    return switchOffWhereGone(trx, person.id, touched)
  })

/** Keys of those who have left are switched off; answers the wallets of the organisations. */
const switchOffWhereGone = async (
  trx: Transaction<Tables>,
  userId: number,
  organisationIds: ReadonlySet<number>,
): Promise<number[]> => {
  const wallets: number[] = []
  for (const organisationId of organisationIds) {
    const row = await trx
      .selectFrom('organisations')
      .select('wallet_user_id')
      .where('id', '=', organisationId)
      .executeTakeFirst()
    if (row === undefined) continue
    if (!(await isMember(trx, organisationId, userId))) await switchOffKeys(trx, row.wallet_user_id, userId)
    wallets.push(row.wallet_user_id)
  }
  return wallets
}
