import { role } from '@tollgate/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { withSession } from '#server-test/rights/calls.ts'
import type { People, Person } from '#server-test/rights/people.ts'
import type { RightsSite } from '#server-test/rights/site.ts'
import { describeEachAddress } from '#server-test/support/db/databases.ts'
import { openScimBench, patchSchema, type ScimBench } from '../tests/scim-bench.ts'

/** Makers of SCIM tokens; a token opens one organisation and nothing else. */

describeEachAddress('tokens of SCIM', (place, engine) => {
  let bench: ScimBench
  let organisation: number
  let owner: Person
  let admin: Person
  let people: People
  let site: RightsSite
  const ask: ScimBench['ask'] = (...args) => bench.ask(...args)
  const done: ScimBench['done'] = (...args) => bench.done(...args)
  const scimOf: ScimBench['scimOf'] = (...args) => bench.scimOf(...args)
  const scim: ScimBench['scim'] = (...args) => bench.scim(...args)
  const made: ScimBench['made'] = (...args) => bench.made(...args)
  beforeAll(async () => {
    bench = await openScimBench(place, engine)
    ;({ organisation, owner, admin, people, site } = bench)
  })
  afterAll(() => bench?.close())

  it('open their own organisation only', async () => {
    const stranger = await people.make(role.user)
    const own = stranger.organisationId
    const bearer = String(
      (await done(stranger, 'POST', `${own}/provisioning/tokens`, { name: 'other', days: 30 })).token,
    )
    const id = await made({ userName: 'secret.name@northwind.example' })
    const group = await scim('POST', 'Groups', { displayName: 'Secret group', members: [{ value: id }] })
    const groupId = String(group.body.id)
    const body = {
      schemas: [patchSchema],
      Operations: [{ op: 'replace', value: { active: false, displayName: 'taken' } }],
    }
    for (const [method, path] of [
      ['GET', ''],
      ['PUT', ''],
      ['PATCH', ''],
      ['DELETE', ''],
    ] as const) {
      for (const [noun, of] of [
        ['Users', id],
        ['Groups', groupId],
      ] as const) {
        const more =
          method === 'GET' || method === 'DELETE'
            ? {}
            : { body: method === 'PATCH' ? body : { userName: 'x', displayName: 'x' } }
        // Under their own organisation it does not exist, and the other organisation does not either.
        expect([method, noun, (await scimOf(bearer, own, method, `${noun}/${of}${path}`, more)).status]).toEqual([
          method,
          noun,
          404,
        ])
        expect([
          method,
          noun,
          (await scimOf(bearer, organisation, method, `${noun}/${of}${path}`, more)).status,
        ]).toEqual([method, noun, 404])
      }
    }
    for (const filter of [
      'userName pr',
      `id eq "${id}"`,
      'userName eq "secret.name@northwind.example"',
      `groups.value eq "${groupId}"`,
    ]) {
      const listed = await scimOf(bearer, own, 'GET', `Users?filter=${encodeURIComponent(filter)}`)
      expect(listed.text).not.toContain('northwind')
    }
    const groups = await scimOf(bearer, own, 'GET', `Groups?filter=${encodeURIComponent(`members.value eq "${id}"`)}`)
    expect(groups.body.totalResults).toBe(0)
    const joined = await scimOf(bearer, own, 'POST', 'Groups', {
      body: { displayName: 'x', members: [{ value: id }] },
    })
    expect([joined.status, joined.body.scimType]).toEqual([400, 'invalidValue'])
    expect((await scim('GET', `Users/${id}`)).body).toMatchObject({ active: true })
    // The same name is free in another organisation.
    expect(
      (await scimOf(bearer, own, 'POST', 'Users', { body: { userName: 'secret.name@northwind.example' } })).status,
    ).toBe(201)
  })

  it('are made, listed and revoked by owners and admins, shown once, and end', async () => {
    const member = await people.make(role.user)
    const { secret } = await done(owner, 'POST', `${organisation}/invitations`, { team_id: 0, role: 'member' })
    await done(member, 'POST', 'invitation/accept', { secret })
    for (const [method, path, body] of [
      ['GET', 'provisioning', undefined],
      ['PUT', 'provisioning', { role: 'viewer' }],
      ['POST', 'provisioning/tokens', { name: 'mine', days: 0 }],
      ['POST', 'provisioning/tokens/revoke', { token_id: 1 }],
      ['PUT', 'provisioning/group', { name: 'g', places: null }],
    ] as const)
      expect([path, (await ask(member, method, `${organisation}/${path}`, body)).json.code]).toEqual([
        path,
        'organisation_role_denied',
      ])
    expect((await scim('GET', 'Users/999999')).status).toBe(404)
    const { token: bearer } = await done(admin, 'POST', `${organisation}/provisioning/tokens`, {
      name: 'short',
      days: 1,
    })
    expect(bearer).toMatch(/^scim_[A-Za-z0-9]{43}$/)
    expect((await scimOf(String(bearer), organisation, 'GET', 'Users?count=1')).status).toBe(200)
    const seen = await ask(owner, 'GET', `${organisation}/provisioning`)
    expect(seen.text).not.toContain(String(bearer))
    const { tokens, calls } = seen.json.data as {
      tokens: { id: number; name: string; last_used_time: number }[]
      calls: { path: string; status: number; token_name: string }[]
    }
    const short = tokens.find(({ name }) => name === 'short')
    expect(short?.last_used_time).toBeGreaterThan(0)
    expect(calls[0]).toMatchObject({ token_name: 'short', method: 'GET', path: '/Users?count=1', status: 200 })
    expect(calls.some(({ status }) => status >= 400)).toBe(true)
    const expired = site.database.query.updateTable('scim_tokens').set({ expires_time: 1 })
    await expired.where('id', '=', short?.id ?? 0).execute()
    expect((await scimOf(String(bearer), organisation, 'GET', 'Users')).status).toBe(401)
    await done(admin, 'POST', `${organisation}/provisioning/tokens/revoke`, { token_id: short?.id })
    const wrong = await scimOf('scim_nothing', organisation, 'GET', 'Users')
    expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="SCIM"'])
    expect((await site.ask({ method: 'GET', path: `/scim/v2/${organisation}/Users` })).status).toBe(401)
    // A session is no token.
    expect(
      (await site.ask({ method: 'GET', path: `/scim/v2/${organisation}/Users`, headers: withSession(owner) })).status,
    ).toBe(401)
  })
})
