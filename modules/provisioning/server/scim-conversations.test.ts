import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Person } from '#server-test/rights/people.ts'
import { describeEachAddress } from '#server-test/support/db/databases.ts'
import {
  enterpriseSchema,
  groupSchema,
  openScimBench,
  type ScimAnswer,
  type ScimBench,
  userSchema,
} from '../tests/scim-bench.ts'

/** Identity providers through the whole product: what Okta and Entra ID send, as their public documentation shows it. */

describeEachAddress('conversations over SCIM', (place, engine) => {
  let bench: ScimBench
  let organisation: number
  let team: number
  let owner: Person
  const ask: ScimBench['ask'] = (...args) => bench.ask(...args)
  const done: ScimBench['done'] = (...args) => bench.done(...args)
  const scim: ScimBench['scim'] = (...args) => bench.scim(...args)
  const find: ScimBench['find'] = (...args) => bench.find(...args)
  const patch: ScimBench['patch'] = (...args) => bench.patch(...args)
  const made: ScimBench['made'] = (...args) => bench.made(...args)
  const placesOf: ScimBench['placesOf'] = (...args) => bench.placesOf(...args)
  const signIn: ScimBench['signIn'] = (...args) => bench.signIn(...args)
  beforeAll(async () => {
    bench = await openScimBench(place, engine)
    ;({ organisation, team, owner } = bench)
  })
  afterAll(() => bench?.close())

  const rowOf = (id: number | string) =>
    bench.site.database.query.selectFrom('users').selectAll().where('id', '=', Number(id)).executeTakeFirstOrThrow()

  it('says what it can do', async () => {
    const config = await scim('GET', 'ServiceProviderConfig')
    expect(config.headers.get('content-type')).toMatch(/^application\/scim\+json/)
    expect(config.body).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      filter: { supported: true, maxResults: 200 },
      sort: { supported: true },
      etag: { supported: true },
      changePassword: { supported: false },
    })
    expect((await scim('GET', 'ResourceTypes')).body).toMatchObject({ totalResults: 2 })
    expect((await scim('GET', 'ResourceTypes/User')).body).toMatchObject({ endpoint: '/Users', schema: userSchema })
    expect((await scim('GET', 'Schemas')).body).toMatchObject({ totalResults: 3 })
    expect((await scim('GET', `Schemas/${userSchema}`)).body).toMatchObject({ id: userSchema, name: 'User' })
    expect((await scim('GET', 'Me')).status).toBe(501)
    expect((await scim('POST', 'Bulk', {})).status).toBe(501)
    expect((await scim('GET', 'Nothing')).status).toBe(404)
    expect((await scim('DELETE', 'Users')).status).toBe(405)
  })

  describe('a conversation with Okta', () => {
    it('provisions, renames, deactivates and reactivates a person', async () => {
      // Okta tests the connection.
      expect((await scim('GET', 'Users?startIndex=1&count=2')).body).toMatchObject({ startIndex: 1, itemsPerPage: 2 })
      expect((await scim('GET', 'Groups?startIndex=1&count=100')).body).toMatchObject({
        totalResults: 0,
        Resources: [],
      })
      // It looks the person up, and makes the user.
      expect((await find('userName eq "test.user@northwind.example"')).body).toMatchObject({ totalResults: 0 })
      const created = await scim('POST', 'Users', {
        schemas: [userSchema],
        userName: 'test.user@northwind.example',
        name: { givenName: 'Test', familyName: 'User' },
        emails: [{ primary: true, value: 'test.user@northwind.example', type: 'work' }],
        displayName: 'Test User',
        locale: 'en-US',
        externalId: '00ujl29u0le5T6Aj10h7',
        groups: [],
        password: '1mz050nq',
        active: true,
      })
      expect(created.status).toBe(201)
      expect(created.headers.get('location')).toBe((created.body.meta as Record<string, unknown>).location)
      expect(created.headers.get('etag')).toBe('W/"1"')
      expect(created.body).toMatchObject({
        userName: 'test.user@northwind.example',
        externalId: '00ujl29u0le5T6Aj10h7',
        active: true,
      })
      expect(created.text).not.toContain('1mz050nq')
      const id = String(created.body.id)
      expect(await rowOf(id)).toMatchObject({
        password: '',
        quota: 0,
        email: 'test.user@northwind.example',
        display_name: 'Test User',
      })
      expect(await placesOf(id)).toEqual({ 0: 'member' })
      // A profile change is a PUT of everything.
      const read = await scim('GET', `Users/${id}`)
      const renamed = { ...read.body, name: { givenName: 'Another', familyName: 'User' }, displayName: 'Another User' }
      expect((await scim('PUT', `Users/${id}`, renamed)).body).toMatchObject({
        displayName: 'Another User',
        active: true,
      })
      expect(await rowOf(id)).toMatchObject({ display_name: 'Another User' })
      // Deactivation and reactivation.
      const session = await signIn(id)
      expect((await ask(session, 'GET', `${organisation}`)).json.success).toBe(true)
      expect((await patch(`Users/${id}`, { op: 'replace', value: { active: false } })).body).toMatchObject({
        active: false,
      })
      expect((await ask(session, 'GET', `${organisation}`)).json.code).toBe('not_signed_in')
      const again = await signIn(id)
      expect((await ask(again, 'GET', `${organisation}`)).json.code).toBe('not_found')
      expect((await done(again, 'GET', '')).items).toEqual([])
      expect((await ask(again, 'POST', 'join', { organisation_id: organisation })).json.code).toBe('not_found')
      expect((await find('userName eq "test.user@northwind.example"')).body.Resources).toMatchObject([
        { id, active: false },
      ])
      expect((await patch(`Users/${id}`, { op: 'replace', value: { active: true } })).body).toMatchObject({
        active: true,
      })
      expect((await ask(again, 'GET', `${organisation}`)).json.success).toBe(true)
    })

    it('pushes a group, its members and its new name', async () => {
      const one = await made({ userName: 'okta.one@northwind.example' })
      const two = await made({ userName: 'okta.two@northwind.example' })
      const group = await scim('POST', 'Groups', {
        schemas: [groupSchema],
        displayName: 'platform',
        members: [{ value: one, display: 'one' }],
      })
      expect(group.status).toBe(201)
      const id = String(group.body.id)
      expect(await placesOf(one)).toEqual({ 0: 'member', [team]: 'member' })
      await patch(
        `Groups/${id}`,
        { op: 'remove', path: `members[value eq "${one}"]` },
        { op: 'add', path: 'members', value: [{ value: two, display: 'okta.two@northwind.example' }] },
      )
      expect([await placesOf(one), await placesOf(two)]).toEqual([{ 0: 'member' }, { 0: 'member', [team]: 'member' }])
      // A new name is sent with the id; then it is the name of no team.
      const renamed = await patch(`Groups/${id}`, { op: 'replace', value: { id, displayName: 'Everybody' } })
      expect(renamed.body).toMatchObject({ id, displayName: 'Everybody', members: [{ value: two, type: 'User' }] })
      expect(await placesOf(two)).toEqual({ 0: 'member' })
      await patch(`Groups/${id}`, { op: 'replace', path: 'members', value: [{ value: one }, { value: two }] })
      expect((await scim('GET', `Users/${one}`)).body.groups).toMatchObject([{ value: id, display: 'Everybody' }])
      expect((await scim('DELETE', `Groups/${id}`)).status).toBe(204)
      expect((await scim('GET', `Groups/${id}`)).status).toBe(404)
    })
  })

  describe('a conversation with Entra ID', () => {
    let id: string
    it('tests the connection, makes a person, and patches as only it does', async () => {
      expect((await find('userName eq "8a53b7f1-a00b-4cd4-95a4-1ad7fa5cb9d1"')).body).toMatchObject({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
        totalResults: 0,
        Resources: [],
      })
      id = await made({
        schemas: [userSchema, enterpriseSchema],
        externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
        userName: 'Entra.Ada@northwind.example',
        active: true,
        emails: [{ primary: true, type: 'work', value: 'ada@northwind.example' }],
        meta: { resourceType: 'User' },
        name: { formatted: 'Ada Lovelace', familyName: 'Lovelace', givenName: 'Ada' },
        roles: [],
      })
      const patched = await patch(
        `Users/${id}`,
        { op: 'Replace', path: 'emails[type eq "work"].value', value: 'ada.l@northwind.example' },
        { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+44 1' },
        { op: 'Replace', path: 'name.familyName', value: 'King' },
        { op: 'Add', path: `${enterpriseSchema}:department`, value: 'Engines' },
        { op: 'Add', path: `${enterpriseSchema}:manager`, value: '26' },
        {
          op: 'Add',
          value: { 'name.givenName': 'Augusta', [`${enterpriseSchema}:costCenter`]: '7', title: 'Countess' },
        },
        { op: 'Add', path: 'roles[primary eq "True"].value', value: 'Reader' },
      )
      expect(patched.status).toBe(200)
      expect(patched.body).toMatchObject({
        emails: [{ type: 'work', primary: true, value: 'ada.l@northwind.example' }],
        phoneNumbers: [{ type: 'mobile', value: '+44 1' }],
        name: { formatted: 'Ada Lovelace', familyName: 'King', givenName: 'Augusta' },
        title: 'Countess',
        roles: [{ primary: true, value: 'Reader' }],
        [enterpriseSchema]: { department: 'Engines', costCenter: '7', manager: { value: '26' } },
        schemas: [userSchema, enterpriseSchema],
      })
      await patch(`Users/${id}`, { op: 'Replace', path: 'roles[primary eq "True"].value', value: 'Writer' })
      expect((await scim('GET', `Users/${id}`)).body).toMatchObject({ roles: [{ value: 'Writer' }] })
      expect(await placesOf(id)).toEqual({ 0: 'member' })
    })

    it('disables with the text "False", and finds who is disabled', async () => {
      await patch(`Users/${id}`, { op: 'Replace', path: 'active', value: 'False' })
      expect((await find('userName eq "entra.ada@NORTHWIND.example"')).body.Resources).toMatchObject([
        { id, active: false },
      ])
      await patch(`Users/${id}`, { op: 'Replace', path: 'active', value: 'True' })
      expect((await find('externalId eq "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef"')).body.Resources).toMatchObject([
        { id, active: true },
      ])
      expect((await find('emails[type eq "work"].value eq "ada.l@northwind.example"')).body).toMatchObject({
        totalResults: 1,
      })
    })

    it('keeps groups without reading their members', async () => {
      const group = await scim('POST', 'Groups', {
        schemas: [groupSchema, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
        externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
        displayName: 'Researchers',
        meta: { resourceType: 'Group' },
      })
      const path = `Groups/${group.body.id}`
      expect((await patch(path, { op: 'Add', path: 'members', value: [{ $ref: null, value: id }] })).status).toBe(200)
      const listed = await scim(
        'GET',
        `Groups?excludedAttributes=members&filter=${encodeURIComponent('displayName eq "Researchers"')}`,
      )
      expect(listed.body).toMatchObject({ totalResults: 1, Resources: [{ displayName: 'Researchers' }] })
      expect(listed.text).not.toContain('members')
      expect((await scim('GET', `${path}?excludedAttributes=members`)).body.members).toBeUndefined()
      expect((await scim('GET', path)).body.members).toMatchObject([{ value: id }])
      const isMember = encodeURIComponent(`id eq "${group.body.id}" and members eq "${id}"`)
      expect((await scim('GET', `Groups?filter=${isMember}`)).body).toMatchObject({ totalResults: 1 })
      // Chosen places: an admin of the team, and a viewer of the organisation.
      await done(owner, 'PUT', `${organisation}/provisioning/group`, {
        name: 'RESEARCHERS',
        places: [{ team_id: team, role: 'admin' }],
      })
      expect(await placesOf(id)).toEqual({ 0: 'member', [team]: 'admin' })
      await patch(path, { op: 'Remove', path: 'members', value: [{ $ref: null, value: id }] })
      expect(await placesOf(id)).toEqual({ 0: 'member' })
      await done(owner, 'PUT', `${organisation}/provisioning/group`, { name: 'Researchers', places: null })
      expect((await scim('DELETE', path)).status).toBe(204)
    })

    it('deletes, and may send the same person again', async () => {
      expect((await scim('DELETE', `Users/${id}`)).status).toBe(204)
      expect((await scim('GET', `Users/${id}`)).status).toBe(404)
      expect((await scim('DELETE', `Users/${id}`)).status).toBe(404)
      expect([await placesOf(id), (await rowOf(id)).deleted_at]).toEqual([{}, null])
      expect(
        await made({ userName: 'entra.ada@northwind.example', emails: [{ value: 'ada.l@northwind.example' }] }),
      ).toBe(id)
      expect(await placesOf(id)).toEqual({ 0: 'member' })
    })
  })

  describe('the protocol', () => {
    it('lists in pages and in order, with the attributes that are asked for', async () => {
      for (const name of ['page.a', 'page.b', 'page.c'])
        await made({
          userName: `${name}@northwind.example`,
          title: name === 'page.b' ? '' : `T ${name}`,
          nickName: 'pages',
        })
      const list = (more: string) => scim('GET', `Users?filter=${encodeURIComponent('nickName eq "pages"')}&${more}`)
      const names = async (more: string) =>
        ((await list(more)).body.Resources as { userName: string }[]).map(({ userName }) => userName.slice(0, 6))
      expect(await names('sortBy=userName&sortOrder=descending')).toEqual(['page.c', 'page.b', 'page.a'])
      expect(await names('sortBy=title')).toEqual(['page.a', 'page.c', 'page.b'])
      expect(await names('sortBy=userName&startIndex=2&count=1')).toEqual(['page.b'])
      expect((await list('count=0')).body).toMatchObject({ totalResults: 3, itemsPerPage: 0, Resources: [] })
      expect(await names('startIndex=-5&count=-1')).toEqual([])
      const [first] = (await list('sortBy=userName&attributes=USERNAME,meta.version')).body.Resources as object[]
      expect(Object.keys(first ?? {}).toSorted()).toEqual(['id', 'meta', 'schemas', 'userName'])
      const search = {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
        filter: 'nickName eq "pages"',
        count: 1,
        excludedAttributes: ['meta'],
      }
      const found = await scim('POST', 'Users/.search', search)
      expect(found.body).toMatchObject({ totalResults: 3, itemsPerPage: 1 })
      expect(found.text).not.toContain('"meta"')
    })

    it('refuses in the form of SCIM', async () => {
      const id = await made({ userName: 'refused@northwind.example' })
      const typeOf = ({ status, body }: ScimAnswer) => [status, body.scimType]
      expect(typeOf(await find('userName eq'))).toEqual([400, 'invalidFilter'])
      expect(typeOf(await scim('POST', 'Users', { userName: 'REFUSED@northwind.example' }))).toEqual([
        409,
        'uniqueness',
      ])
      expect(typeOf(await scim('POST', 'Users', { displayName: 'nameless' }))).toEqual([400, 'invalidValue'])
      expect(typeOf(await scim('POST', 'Users', { userName: 'x@northwind.example', active: 'perhaps' }))).toEqual([
        400,
        'invalidValue',
      ])
      expect(typeOf(await patch(`Users/${id}`, { op: 'replace', path: 'id', value: '1' }))).toEqual([400, 'mutability'])
      expect(typeOf(await patch(`Users/${id}`, { op: 'replace', path: 'groups', value: [] }))).toEqual([
        400,
        'mutability',
      ])
      expect(typeOf(await patch(`Users/${id}`, { op: 'remove' }))).toEqual([400, 'noTarget'])
      expect(
        typeOf(
          await patch(`Users/${id}`, { op: 'replace', path: 'emails[type eq "home"]', value: { value: 'a@b.c' } }),
        ),
      ).toEqual([400, 'noTarget'])
      expect(typeOf(await patch(`Users/${id}`, { op: 'add', path: 'emails[', value: 1 }))).toEqual([400, 'invalidPath'])
      expect(typeOf(await patch(`Users/${id}`, { op: 'move', path: 'title' }))).toEqual([400, 'invalidSyntax'])
      expect(typeOf(await patch(`Users/${id}`, { op: 'remove', path: 'userName' }))).toEqual([400, 'mutability'])
      const refusal = await scim('POST', 'Groups', { displayName: 'G', members: [{ value: '999999' }] })
      expect(refusal.body).toMatchObject({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        status: '400',
        scimType: 'invalidValue',
      })
      expect((await scim('GET', `Groups?filter=${encodeURIComponent('displayName eq "G"')}`)).body.totalResults).toBe(0)
    })

    it('holds changes to the version that was read', async () => {
      const id = await made({ userName: 'versions@northwind.example' })
      const etag = (await scim('GET', `Users/${id}`)).headers.get('etag') ?? ''
      expect((await scim('GET', `Users/${id}`, undefined, { 'if-none-match': etag })).status).toBe(304)
      const body = { userName: 'versions@northwind.example', title: 'first' }
      expect((await scim('PUT', `Users/${id}`, body, { 'if-match': etag })).status).toBe(200)
      expect((await scim('PUT', `Users/${id}`, { ...body, title: 'second' }, { 'if-match': etag })).status).toBe(412)
      expect((await scim('DELETE', `Users/${id}`, undefined, { 'if-match': etag })).status).toBe(412)
      expect((await scim('GET', `Users/${id}`)).body).toMatchObject({ title: 'first', meta: { version: 'W/"2"' } })
    })

    it('loses nothing when many change a group at once', async () => {
      const ids = await Promise.all(
        Array.from({ length: 8 }, (_, index) => made({ userName: `race.${index}@northwind.example` })),
      )
      const group = await scim('POST', 'Groups', { displayName: 'Race' })
      const add = (id: string) =>
        patch(`Groups/${group.body.id}`, { op: 'add', path: 'members', value: [{ value: id }] })
      expect((await Promise.all(ids.map(add))).map(({ status }) => status)).toEqual(ids.map(() => 200))
      const { members } = (await scim('GET', `Groups/${group.body.id}`)).body
      expect((members as { value: string }[]).map(({ value }) => value).toSorted()).toEqual(ids.toSorted())
      const same = await Promise.all(
        Array.from({ length: 4 }, () => scim('POST', 'Users', { userName: 'same@northwind.example' })),
      )
      expect(same.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409])
    })
  })
})
