import { role } from '@tollgate/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withSession } from '#server-test/rights/calls.ts'
import type { People, Person } from '#server-test/rights/people.ts'
import type { RightsSite } from '#server-test/rights/site.ts'
import { describeEachAddress } from '#server-test/support/db/databases.ts'
import { openScimBench, patchSchema, type ScimBench, userSchema } from '../tests/scim-bench.ts'

/** Rights of identity providers over accounts, keys and other organisations, and their limits. */

describeEachAddress('the rights of SCIM', (place, engine) => {
  let bench: ScimBench
  let organisation: number
  let team: number
  let owner: Person
  let admin: Person
  let people: People
  let site: RightsSite
  const ask: ScimBench['ask'] = (...args) => bench.ask(...args)
  const done: ScimBench['done'] = (...args) => bench.done(...args)
  const scimOf: ScimBench['scimOf'] = (...args) => bench.scimOf(...args)
  const scim: ScimBench['scim'] = (...args) => bench.scim(...args)
  const patch: ScimBench['patch'] = (...args) => bench.patch(...args)
  const made: ScimBench['made'] = (...args) => bench.made(...args)
  const prove: ScimBench['prove'] = (...args) => bench.prove(...args)
  const placesOf: ScimBench['placesOf'] = (...args) => bench.placesOf(...args)
  const signIn: ScimBench['signIn'] = (...args) => bench.signIn(...args)
  beforeAll(async () => {
    bench = await openScimBench(place, engine)
    ;({ organisation, team, owner, admin, people, site } = bench)
  })
  afterAll(() => bench?.close())

  const rowOf = (id: number | string) =>
    bench.site.database.query.selectFrom('users').selectAll().where('id', '=', Number(id)).executeTakeFirstOrThrow()

  describe('accounts', () => {
    it('of a proved address in the proved domain are linked, and stay their owners', async () => {
      const carol = await people.make(role.user)
      await prove(carol, 'carol@northwind.example')
      const before = await rowOf(carol.id)
      const id = await made({ userName: 'carol@northwind.example', displayName: 'Somebody else' })
      expect(id).toBe(String(carol.id))
      await patch(`Users/${id}`, { op: 'replace', value: { active: false } })
      // A person's own account: the membership is suspended, and nothing else.
      expect(
        (await site.ask({ method: 'GET', path: '/api/user/self', headers: withSession(carol) })).json.success,
      ).toBe(true)
      expect((await ask(carol, 'GET', `${organisation}`)).json.code).toBe('not_found')
      expect((await scim('DELETE', `Users/${id}`)).status).toBe(204)
      const { display_name, email, password, status, deleted_at } = await rowOf(carol.id)
      expect({ display_name, email, password, status, deleted_at }).toEqual({
        display_name: before.display_name,
        email: before.email,
        password: before.password,
        status: before.status,
        deleted_at: null,
      })
      expect((await done(carol, 'GET', '')).joinable).toEqual([])
    })

    it('of others are never touched: outside the domain, or where the address is not proved', async () => {
      const victim = await people.make(role.user)
      await prove(victim, 'victim@elsewhere.example')
      const imported = await people.make(role.user)
      await site.database.query
        .updateTable('users')
        .set({ email: 'old@northwind.example' })
        .where('id', '=', imported.id)
        .execute()
      const outside = await made({ userName: 'victim@elsewhere.example' })
      const unproved = await made({ userName: 'old@northwind.example' })
      expect([outside, unproved]).not.toContain(String(victim.id))
      expect([outside, unproved]).not.toContain(String(imported.id))
      // Such an account can be signed in to by single sign-on only: it has no address.
      expect([(await rowOf(outside)).email, (await rowOf(unproved)).email]).toEqual(['', ''])
      expect([await placesOf(victim.id), await placesOf(imported.id)]).toEqual([{}, {}])
    })

    it('are not made with an address of a provider for everybody', async () => {
      const [founder, other] = [await people.make(role.user), await people.make(role.user)]
      await prove(founder, 'founder@gmail.com')
      await prove(other, 'other@gmail.com')
      const own = founder.organisationId
      expect((await ask(founder, 'PUT', `${own}`, { name: 'Mail', domain: 'gmail.com' })).json.success).toBe(true)
      const bearer = String((await done(founder, 'POST', `${own}/provisioning/tokens`, { name: 'x', days: 1 })).token)
      const answer = await scimOf(bearer, own, 'POST', 'Users', { body: { userName: 'other@gmail.com' } })
      expect(answer.status).toBe(201)
      expect(answer.body.id).not.toBe(String(other.id))
    })

    it('are made only for the proved domain where registration is closed', async () => {
      const founder = await people.make(role.user)
      const own = founder.organisationId
      const bearer = String((await done(founder, 'POST', `${own}/provisioning/tokens`, { name: 'x', days: 1 })).token)
      const returning = await made({ userName: 'returning-without-address' })
      expect((await scim('DELETE', `Users/${returning}`)).status).toBe(204)
      const root = await people.make(role.root)
      const set = (key: string, value: string) =>
        site.ask({ method: 'PUT', path: '/api/option/', headers: withSession(root), body: { key, value } })
      for (const [key, closed, opened] of [
        ['RegisterEnabled', 'false', 'true'],
        ['SelfUseModeEnabled', 'true', 'false'],
      ] as const) {
        expect((await set(key, closed)).json.success).toBe(true)
        const count = async () => (await site.database.query.selectFrom('users').select('id').execute()).length
        const before = await count()
        for (const userName of ['mass1', 'mass@northwind.example', 'mass@elsewhere.example']) {
          const answer = await scimOf(bearer, own, 'POST', 'Users', { body: { schemas: [userSchema], userName } })
          expect([answer.status, answer.body.schemas, answer.body.status]).toEqual([
            403,
            ['urn:ietf:params:scim:api:messages:2.0:Error'],
            '403',
          ])
        }
        const outside = { schemas: [userSchema], userName: `outside-${key}@elsewhere.example` }
        expect((await scim('POST', 'Users', outside)).status).toBe(403)
        expect(await count()).toBe(before)
        await made({ userName: `inside-${key}@northwind.example`.toLowerCase() })
        expect((await set(key, opened)).json.success).toBe(true)
      }
      await set('RegisterEnabled', 'false')
      // An account that exists comes back.
      expect(await made({ userName: 'returning-without-address' })).toBe(returning)
      await set('RegisterEnabled', 'true')
      expect((await scimOf(bearer, own, 'POST', 'Users', { body: { userName: 'later' } })).status).toBe(201)
    })

    it('take no user name that people of the site may register', async () => {
      for (const userName of ['wanted', 'wanted2@northwind.example']) {
        const row = await rowOf(await made({ userName }))
        expect(row.username).toMatch(/^u[a-z0-9]{11}$/)
      }
      const name = 'wanted'
      const answer = await site.ask({
        method: 'POST',
        path: '/api/user/register',
        headers: {},
        body: { username: name, password: 'a good password' },
      })
      expect(answer.json.success).toBe(true)
    })

    it('of owners are only suspended or removed on behalf of an owner, and never the last', async () => {
      const second = String(
        (await done(admin, 'POST', `${organisation}/provisioning/tokens`, { name: 'of an admin', days: 1 })).token,
      )
      const ownerPath = `Users/${owner.id}`
      const off = { schemas: [patchSchema], Operations: [{ op: 'replace', value: { active: false } }] }
      expect((await scimOf(second, organisation, 'PATCH', ownerPath, { body: off })).status).toBe(403)
      expect((await scimOf(second, organisation, 'DELETE', ownerPath)).status).toBe(403)
      const refused = await scim('DELETE', ownerPath)
      expect([refused.status, refused.body.detail]).toEqual([403, 'An organisation needs at least one owner'])
      expect((await scim('PATCH', ownerPath, off)).status).toBe(403)
      const partner = await people.make(role.user)
      const { secret } = await done(owner, 'POST', `${organisation}/invitations`, { team_id: 0, role: 'owner' })
      await done(partner, 'POST', 'invitation/accept', { secret })
      expect((await scim('PATCH', `Users/${partner.id}`, off)).status).toBe(200)
      // A suspended owner does not count as a remaining owner.
      expect((await scim('DELETE', ownerPath)).status).toBe(403)
      expect((await ask(owner, 'POST', `${organisation}/member/remove`, { user_id: owner.id })).json.code).toBe(
        'organisation_owner_needed',
      )
      expect((await scim('DELETE', `Users/${partner.id}`)).status).toBe(204)
      expect(await placesOf(owner.id)).toEqual({ 0: 'owner' })
    })

    it('have roles by hand and by groups side by side', async () => {
      const hand = await people.make(role.user)
      const { secret } = await done(owner, 'POST', `${organisation}/invitations`, { team_id: team, role: 'viewer' })
      await done(hand, 'POST', 'invitation/accept', { secret })
      const group = await scim('POST', 'Groups', { displayName: 'Platform', members: [{ value: String(hand.id) }] })
      expect(await placesOf(hand.id)).toEqual({ 0: 'member', [team]: 'member' })
      // A role that somebody gave by hand meanwhile counts as theirs.
      await done(owner, 'PUT', `${organisation}/member`, { user_id: hand.id, team_id: team, role: 'admin' })
      expect((await scim('DELETE', `Groups/${group.body.id}`)).status).toBe(204)
      expect(await placesOf(hand.id)).toEqual({ 0: 'member', [team]: 'admin' })
      // The place that a sign-in provider gave is still its own after a group raised the role and was deleted.
      const { query } = site.database
      const place = { organisation_id: organisation, team_id: team, user_id: hand.id }
      await query
        .updateTable('memberships')
        .set({ role: 'viewer' })
        .where('user_id', '=', hand.id)
        .where('team_id', '=', team)
        .execute()
      await query
        .insertInto('given_roles')
        .values({ ...place, source: 'idp:5', role: 'viewer' })
        .execute()
      const raised = await scim('POST', 'Groups', { displayName: 'Platform', members: [{ value: String(hand.id) }] })
      expect(await placesOf(hand.id)).toEqual({ 0: 'member', [team]: 'member' })
      await scim('DELETE', `Groups/${raised.body.id}`)
      expect(await placesOf(hand.id)).toEqual({ 0: 'member', [team]: 'viewer' })
      const left = query.selectFrom('given_roles').select(['source', 'role']).where('user_id', '=', hand.id)
      expect(await left.where('team_id', '=', team).execute()).toEqual([{ source: 'idp:5', role: 'viewer' }])
      const places = [{ team_id: 0, role: 'owner' }]
      expect((await ask(owner, 'PUT', `${organisation}/provisioning/group`, { name: 'x', places })).json.code).toBe(
        'invalid_parameter',
      )
      const pays = [{ team_id: 0, role: 'billing' }]
      expect(
        (await ask(admin, 'PUT', `${organisation}/provisioning/group`, { name: 'x', places: pays })).json.code,
      ).toBe('organisation_role_denied')
    })

    it('that were made lose their access tokens when they are suspended; those of a person keep them', async () => {
      const { query } = site.database
      const own = await people.make(role.user)
      await prove(own, 'own@northwind.example')
      const ids = [
        await made({ userName: 'tokens@northwind.example' }),
        await made({ userName: 'own@northwind.example' }),
      ]
      expect(ids[1]).toBe(String(own.id))
      for (const id of ids) {
        const facts = { name: 't', hint: 'x', scopes: '[]', created_time: 1, expires_time: 0, last_used_time: 0 }
        const row = { ...facts, user_id: Number(id), token_hash: `hash of ${id}`, last_used_ip: '' }
        await query.insertInto('access_tokens').values(row).execute()
        await query
          .updateTable('users')
          .set({ access_token_hash: `own ${id}` })
          .where('id', '=', Number(id))
          .execute()
        await patch(`Users/${id}`, { op: 'replace', path: 'active', value: false })
      }
      const left = async (id: string | undefined) => [
        (await rowOf(Number(id))).access_token_hash,
        (await query.selectFrom('access_tokens').select('id').where('user_id', '=', Number(id)).execute()).length > 0,
      ]
      expect([await left(ids[0]), await left(ids[1])]).toEqual([
        [null, false],
        [`own ${own.id}`, true],
      ])
    })

    it('that the site cancels leave their name free', async () => {
      const id = await made({ userName: 'cancelled@northwind.example' })
      const root = await people.make(role.root)
      const cancelled = await site.ask({
        method: 'POST',
        path: '/api/user/manage',
        headers: withSession(root),
        body: { id: Number(id), action: 'delete' },
      })
      expect(cancelled.json.success).toBe(true)
      expect((await scim('GET', `Users/${id}`)).status).toBe(404)
      const again = await made({ userName: 'Cancelled@northwind.example' })
      // The address that the account had proved stays with it.
      expect([again === id, (await rowOf(again)).email]).toEqual([false, ''])
    })

    it('have the role that the organisation chooses, and none by themselves where it chooses none', async () => {
      const id = await made({ userName: 'roles@northwind.example' })
      await done(owner, 'PUT', `${organisation}/provisioning`, { role: 'viewer' })
      expect(await placesOf(id)).toEqual({ 0: 'viewer' })
      await done(owner, 'PUT', `${organisation}/provisioning`, { role: 'none' })
      expect(await placesOf(id)).toEqual({})
      expect((await scim('GET', `Users/${id}`)).body).toMatchObject({ active: true })
      await done(owner, 'PUT', `${organisation}/provisioning`, { role: 'member' })
      expect(await placesOf(id)).toEqual({ 0: 'member' })
    })
  })

  it('stops keys with the next call, and keeps what was spent', async () => {
    const id = await made({ userName: 'keys@northwind.example' })
    const person = await signIn(id)
    const call = await bench.projectCalls(person)
    expect(await call()).toBe(200)
    await patch(`Users/${id}`, { op: 'replace', path: 'active', value: false })
    expect(await call()).toBe(401)
    await patch(`Users/${id}`, { op: 'replace', path: 'active', value: true })
    expect(await call()).toBe(200)
    await scim('DELETE', `Users/${id}`)
    expect(await call()).toBe(401)
    const spend = async () => (await ask(owner, 'GET', `${organisation}/spend`)).json.data
    await expect.poll(spend).toContainEqual(expect.objectContaining({ member_id: Number(id), count: 2 }))
  })

  it('leaves a trail', async () => {
    const rows = await site.database.query
      .selectFrom('audit')
      .select(['action', 'actor_name'])
      .where('actor_name', 'like', 'SCIM %')
      .execute()
    expect([...new Set(rows.map(({ action }) => action))].toSorted()).toEqual([
      ...['organisation.scim_create', 'organisation.scim_group', 'organisation.scim_group_remove'],
      ...['organisation.scim_remove', 'organisation.scim_resume', 'organisation.scim_suspend'],
    ])
  })
})
