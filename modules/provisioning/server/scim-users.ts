import type { Transaction } from 'kysely'
import { isUniqueViolation } from '#server/db/dialect.ts'
import type { Tables } from '#server/db/schema.ts'
import { forgetGivenRoles, lockOrganisation } from '#server/features/organisations/assigned-roles.ts'
import { assertOwnerLeft, switchOffKeys } from '#server/features/organisations/members.ts'
import { AppError } from '#server/lib/app-error.ts'
import { unixSeconds } from '#server/lib/clock.ts'
import { addressTaken, displayNameIn, provedAddress, provedOwner, updateMadeAccount } from './accounts.ts'
import { groupsOfPeople } from './groups-store.ts'
import type { ProvisioningParts, ScimPlace } from './parts.ts'
import {
  mostPeople,
  type PersonState,
  readPeople,
  removedAccount,
  type ScimPerson,
  userResourceOf,
  versionText,
  wasMadeFor,
  writePerson,
} from './people.ts'
import { userResource } from './scim/attributes.ts'
import type { Resource } from './scim/matching.ts'
import { patched, readOperations } from './scim/patch.ts'
import { longestResource, readResource } from './scim/reading.ts'
import { badRequest, notFound, ScimError } from './scim/scim-error.ts'
import { applyPlaces, assertVersion, scimTrace } from './writing.ts'

export interface ScimUsers {
  get(place: ScimPlace, id: number): Promise<Resource>
  /** Makes an account, or links the one that has proved the address; see docs/scim.md. */
  create(place: ScimPlace, body: unknown): Promise<Resource>
  replace(place: ScimPlace, id: number, body: unknown, ifMatch: string | undefined): Promise<Resource>
  patch(place: ScimPlace, id: number, body: unknown, ifMatch: string | undefined): Promise<Resource>
  /** Takes the membership away; the account stays. */
  remove(place: ScimPlace, id: number, ifMatch: string | undefined): Promise<void>
}

interface Said {
  readonly userName: string
  readonly externalId: string
  readonly active: boolean | undefined
  readonly attributes: Resource
}

const longestName = 200

/** Person's fields in a request body. */
const saidIn = (read: Resource): Said => {
  const { userName, externalId, active, ...attributes } = read
  if (typeof userName !== 'string' || userName.trim() === '') throw badRequest('invalidValue', 'userName is required.')
  const name = userName.trim()
  const external = typeof externalId === 'string' ? externalId : ''
  for (const [field, text] of Object.entries({ userName: name, externalId: external }))
    if (text.length > longestName) throw badRequest('invalidValue', `${field} has more than ${longestName} characters.`)
  if (JSON.stringify(attributes).length > longestResource)
    throw badRequest('invalidValue', `The attributes have more than ${longestResource} characters.`)
  return { userName: name, externalId: external, active: typeof active === 'boolean' ? active : undefined, attributes }
}

const taken = (): ScimError => new ScimError(409, 'A user with this userName exists.', { scimType: 'uniqueness' })

const registrationClosed = (): ScimError =>
  new ScimError(
    403,
    'Registration is closed at this site: users are made only with an address in the domain that the organisation has proved.',
  )

export const openScimUsers = (parts: ProvisioningParts): ScimUsers => {
  const { database, accounts, audit } = parts
  const now = (): number => unixSeconds(parts.clock)

  const personOf = async (on: Transaction<Tables>, place: ScimPlace, userId: number): Promise<ScimPerson> => {
    const [person] = await readPeople(on, place.organisationId, { userId })
    if (person === undefined) throw notFound(`User ${userId}`)
    return person
  }

  const shown = async (place: ScimPlace, userId: number): Promise<Resource> => {
    const [person] = await readPeople(database.query, place.organisationId, { userId })
    if (person === undefined) throw notFound(`User ${userId}`)
    const groups = await groupsOfPeople(database.query, place.organisationId, userId)
    return userResourceOf(person, groups.get(userId) ?? [], place.base)
  }

  const assertFree = async (trx: Transaction<Tables>, place: ScimPlace, userName: string, userId?: number) => {
    const found = await readPeople(trx, place.organisationId, { userName })
    if (found.some((person) => person.userId !== userId)) throw taken()
  }

  const assertRoom = async (trx: Transaction<Tables>, { organisationId }: ScimPlace): Promise<void> => {
    const { count } = await trx
      .selectFrom('scim_users')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('organisation_id', '=', organisationId)
      .executeTakeFirstOrThrow()
    if (Number(count) >= mostPeople)
      throw new ScimError(403, `An organisation has at most ${mostPeople} users over SCIM.`)
  }

  /** Owners, and who pays, are only suspended and removed on behalf of an owner, and never the last owner. */
  const assertMayEnd = async (trx: Transaction<Tables>, place: ScimPlace, userId: number): Promise<void> => {
    const roles = await trx
      .selectFrom('memberships')
      .select(['user_id', 'role'])
      .where('organisation_id', '=', place.organisationId)
      .where('team_id', '=', 0)
      .where('user_id', 'in', [userId, place.token.madeBy])
      .execute()
    const roleOf = (id: number) => roles.find((row) => row.user_id === id)?.role
    if (['owner', 'billing'].includes(roleOf(userId) ?? '') && roleOf(place.token.madeBy) !== 'owner')
      throw new ScimError(403, 'Only a token that an owner made can suspend or remove owners and members who pay.')
  }

  /** Lets all nodes read the keys of the organisation again; whoever may not act any more is signed out of a made account. */
  const announce = async (place: ScimPlace, { userId, madeAccount }: ScimPerson, ends: boolean): Promise<void> => {
    if (madeAccount && ends) await accounts.endSessions(userId)
    parts.userChanged(place.walletId)
    parts.userChanged(userId)
  }

  const write = async (
    trx: Transaction<Tables>,
    place: ScimPlace,
    { before, said }: { before: ScimPerson; said: Said },
  ): Promise<PersonState> => {
    const state: PersonState = (said.active ?? before.state === 'active') ? 'active' : 'suspended'
    const ends = state === 'suspended' && before.state === 'active'
    if (ends) await assertMayEnd(trx, place, before.userId)
    const { userName, externalId, attributes } = said
    const changed = now()
    const version = before.version + 1
    await writePerson(trx, place.organisationId, {
      ...before,
      userName,
      externalId,
      attributes,
      state,
      version,
      changed,
    })
    if (ends) {
      await assertOwnerLeft(trx, place.organisationId)
      if (before.madeAccount) await accounts.endAccessTokens(trx, before.userId)
    }
    if (before.madeAccount) await updateMadeAccount(parts, trx, place, { userId: before.userId, userName, attributes })
    await applyPlaces(trx, place, before.userId, { now: changed })
    return state
  }

  const change = async (
    place: ScimPlace,
    id: number,
    ifMatch: string | undefined,
    saidOf: (before: ScimPerson) => Said,
  ): Promise<Resource> => {
    const { person: before, state } = await database.transaction(async (trx) => {
      await lockOrganisation(trx, place.organisationId)
      const person = await personOf(trx, place, id)
      assertVersion(ifMatch, versionText(person.version))
      const said = saidOf(person)
      if (said.userName.toLowerCase() !== person.userName.toLowerCase() || !person.isKept)
        await assertFree(trx, place, said.userName, id)
      const next = await write(trx, place, { before: person, said })
      const moved = next === 'active' ? 'scim_resume' : 'scim_suspend'
      const action = next === person.state ? 'scim_change' : moved
      await audit.record(scimTrace(place, action, { user_id: id, user_name: said.userName }), trx)
      return { person, state: next }
    })
    await announce(place, before, state !== 'active')
    return shown(place, id)
  }

  const asBody = (person: ScimPerson): Resource => ({
    ...person.attributes,
    userName: person.userName,
    ...(person.externalId === '' ? {} : { externalId: person.externalId }),
    active: person.state === 'active',
  })

  const begin = (userId: number, said: Said, madeAccount: boolean): ScimPerson => ({
    userId,
    ...said,
    state: 'active',
    madeAccount,
    version: 0,
    created: now(),
    changed: now(),
    isKept: false,
  })

  const joined = async (
    trx: Transaction<Tables>,
    place: ScimPlace,
    { userId, said, how }: { userId: number; said: Said; how: 'made' | 'linked' | 'returned' },
  ): Promise<void> => {
    await lockOrganisation(trx, place.organisationId)
    await assertFree(trx, place, said.userName)
    await assertRoom(trx, place)
    const present = await readPeople(trx, place.organisationId, { userId })
    if (present.some(({ isKept }) => isKept)) throw taken()
    await write(trx, place, { before: begin(userId, said, how !== 'linked'), said })
    await audit.record(
      scimTrace(place, 'scim_create', { user_id: userId, user_name: said.userName, account: how }),
      trx,
    )
  }

  return {
    get: shown,

    async create(place, body) {
      const said = saidIn(readResource(userResource, body))
      const { query } = database
      if ((await readPeople(query, place.organisationId, { userName: said.userName })).length > 0) throw taken()
      const address = await provedAddress(query, place, said.userName, said.attributes)
      const owner = address === undefined ? undefined : await provedOwner(query, address)
      const returning = owner ?? (await removedAccount(query, place.organisationId, said.userName))
      let id = returning ?? 0
      try {
        if (returning !== undefined) {
          const how = (await wasMadeFor(query, place.organisationId, returning)) ? 'returned' : 'linked'
          await database.transaction((trx) => joined(trx, place, { userId: returning, said, how }))
        } else {
          if (address === undefined && !parts.isRegistrationOpen()) throw registrationClosed()
          id = await accounts.create({
            displayName: displayNameIn(said.userName, said.attributes),
            address: address !== undefined && !(await addressTaken(query, address)) ? address : undefined,
            joined: (trx, userId) => joined(trx, place, { userId, said, how: 'made' }),
          })
        }
      } catch (cause) {
        const isTaken = isUniqueViolation(cause) || (cause instanceof AppError && cause.code === 'email_taken')
        throw isTaken ? taken() : cause
      }
      parts.userChanged(place.walletId)
      return shown(place, id)
    },

    replace: (place, id, body, ifMatch) => change(place, id, ifMatch, () => saidIn(readResource(userResource, body))),

    patch: (place, id, body, ifMatch) =>
      change(place, id, ifMatch, (before) => saidIn(patched(asBody(before), userResource, readOperations(body)))),

    async remove(place, id, ifMatch) {
      const { organisationId, walletId } = place
      const person = await database.transaction(async (trx) => {
        await lockOrganisation(trx, organisationId)
        const before = await personOf(trx, place, id)
        assertVersion(ifMatch, versionText(before.version))
        await assertMayEnd(trx, place, id)
        const own = await trx
          .selectFrom('scim_groups')
          .select('id')
          .where('organisation_id', '=', organisationId)
          .execute()
        const groups = own.map((group) => group.id)
        if (groups.length > 0)
          await trx.deleteFrom('scim_group_members').where('user_id', '=', id).where('group_id', 'in', groups).execute()
        await trx
          .deleteFrom('memberships')
          .where('organisation_id', '=', organisationId)
          .where('user_id', '=', id)
          .execute()
        await forgetGivenRoles(trx, organisationId, id)
        await writePerson(trx, organisationId, {
          ...before,
          state: 'removed',
          version: before.version + 1,
          changed: now(),
        })
        await assertOwnerLeft(trx, organisationId)
        await switchOffKeys(trx, walletId, id)
        if (before.madeAccount) await accounts.endAccessTokens(trx, id)
        await audit.record(scimTrace(place, 'scim_remove', { user_id: id, user_name: before.userName }), trx)
        return before
      })
      await announce(place, person, true)
    },
  }
}
