import type { Kysely } from 'kysely'
import { expect, it } from 'vitest'
import { describeEachEngine } from '../../../../test/support/db/databases.ts'
import { givenRoles } from './0166-given-roles.ts'

describeEachEngine('roles that sign-in providers gave before', (open) => {
  it('stand among given roles, once, also beside one of SCIM; roles by hand stay by hand', async () => {
    const { query } = await open()
    const place = { organisation_id: 1, team_id: 0 }
    await query
      .insertInto('memberships')
      .values([
        { ...place, user_id: 2, role: 'admin', provider_id: 9, created_time: 1 },
        { ...place, user_id: 3, role: 'billing', provider_id: 9, created_time: 1 },
        { ...place, user_id: 4, role: 'owner', provider_id: 0, created_time: 1 },
      ])
      .execute()
    // Roles from a provider counted as given by hand where SCIM gave one as well.
    await query
      .insertInto('given_roles')
      .values([
        { ...place, user_id: 3, source: 'hand', role: 'billing' },
        { ...place, user_id: 3, source: 'scim:1', role: 'member' },
        { ...place, user_id: 4, source: 'hand', role: 'owner' },
      ])
      .execute()
    await givenRoles.up(query as unknown as Kysely<unknown>)
    await givenRoles.up(query as unknown as Kysely<unknown>)
    const given = await query.selectFrom('given_roles').select(['user_id', 'source', 'role']).execute()
    expect(given.map(({ user_id, source, role }) => `${user_id} ${source} ${role}`).sort()).toEqual([
      '2 idp:9 admin',
      '3 idp:9 billing',
      '3 scim:1 member',
      '4 hand owner',
    ])
    const members = await query.selectFrom('memberships').select(['user_id', 'role', 'provider_id']).execute()
    expect(members.map(({ user_id, role, provider_id }) => [user_id, role, provider_id]).sort()).toEqual([
      [2, 'admin', 0],
      [3, 'billing', 0],
      [4, 'owner', 0],
    ])
  })
})
