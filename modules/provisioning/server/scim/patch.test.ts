import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { enterpriseSchema, groupResource, userResource } from './attributes.ts'
import type { Resource } from './matching.ts'
import { patched, readOperations } from './patch.ts'
import { chosen, sorted } from './projection.ts'
import { ScimError } from './scim-error.ts'

const work = { type: 'work', streetAddress: '911 Universal City Plaza', locality: 'Hollywood' }
const home = { type: 'home', streetAddress: '456 Hollywood Blvd', locality: 'Hollywood' }

const user: Resource = {
  userName: 'bjensen',
  name: { familyName: 'Jensen', givenName: 'Barbara' },
  emails: [
    { value: 'bjensen@example.com', type: 'work', primary: true },
    { value: 'babs@jensen.org', type: 'home' },
  ],
  addresses: [work, home],
}
const group: Resource = { displayName: 'Tour Guides', members: [{ value: '1' }, { value: '2' }] }

const onUser = (...Operations: object[]): Resource => patched(user, userResource, readOperations({ Operations }))
const onGroup = (...Operations: object[]): Resource => patched(group, groupResource, readOperations({ Operations }))
const values = ({ members }: Resource) => (members as { value: string }[] | undefined)?.map(({ value }) => value)

describe('the examples of RFC 7644, section 3.5.2', () => {
  it('add', () => {
    expect(values(onGroup({ op: 'add', path: 'members', value: [{ display: 'Babs', value: '3' }] }))).toEqual([
      '1',
      '2',
      '3',
    ])
    const several = onUser({
      op: 'add',
      value: { emails: [{ value: 'new@jensen.org', type: 'home' }], nickName: 'Babs' },
    })
    expect(several).toMatchObject({ nickName: 'Babs', name: { givenName: 'Barbara' } })
    expect(several.emails).toHaveLength(3)
    // A value that is there already is not added twice.
    expect(values(onGroup({ op: 'add', path: 'members', value: { value: '1' } }))).toEqual(['1', '2'])
  })

  it('remove', () => {
    expect(values(onGroup({ op: 'remove', path: 'members[value eq "1"]' }))).toEqual(['2'])
    expect(values(onGroup({ op: 'remove', path: 'members' }))).toBeUndefined()
    expect(onUser({ op: 'remove', path: 'emails[type eq "work" and value ew "example.com"]' }).emails).toEqual([
      { value: 'babs@jensen.org', type: 'home' },
    ])
    const moved = onGroup(
      { op: 'remove', path: 'members[value eq "1"]' },
      { op: 'add', path: 'members', value: [{ display: 'James', value: '08e1' }] },
    )
    expect(values(moved)).toEqual(['2', '08e1'])
    expect(
      values(onGroup({ op: 'remove', path: 'members' }, { op: 'add', path: 'members', value: [{ value: '9' }] })),
    ).toEqual(['9'])
  })

  it('replace', () => {
    expect(values(onGroup({ op: 'replace', path: 'members', value: [{ value: '8' }, { value: '9' }] }))).toEqual([
      '8',
      '9',
    ])
    const moved = {
      type: 'work',
      streetAddress: '911 Universal City Plaza',
      locality: 'Elsewhere',
      country: 'US',
      primary: true,
    }
    expect(onUser({ op: 'replace', path: 'addresses[type eq "work"]', value: moved }).addresses).toEqual([moved, home])
    expect(
      onUser({ op: 'replace', path: 'addresses[type eq "work"].streetAddress', value: '1010 Broadway Ave' }).addresses,
    ).toEqual([{ ...work, streetAddress: '1010 Broadway Ave' }, home])
    const whole = onUser({
      op: 'replace',
      value: { emails: [{ value: 'one@x.org', primary: true }], nickName: 'Babs' },
    })
    expect(whole).toMatchObject({ nickName: 'Babs', emails: [{ value: 'one@x.org', primary: true }] })
  })
})

describe('a change', () => {
  it('leaves one main value', () => {
    const { emails } = onUser({ op: 'replace', path: 'emails[type eq "home"].primary', value: true })
    expect(emails).toMatchObject([{ primary: false }, { primary: true }])
  })

  it('of the enterprise schema finds its place, with and without a path', () => {
    expect(onUser({ op: 'add', path: `${enterpriseSchema}:department`, value: 'Tours' })[enterpriseSchema]).toEqual({
      department: 'Tours',
    })
    expect(onUser({ op: 'add', path: enterpriseSchema, value: { department: 'Tours' } })[enterpriseSchema]).toEqual({
      department: 'Tours',
    })
    const given = onUser({
      op: 'replace',
      value: { [enterpriseSchema.toUpperCase()]: { Department: 'Tours', manager: { value: '26' } } },
    })
    expect(given[enterpriseSchema]).toEqual({ department: 'Tours', manager: { value: '26' } })
    const cleared = onUser(
      { op: 'add', path: `${enterpriseSchema}:department`, value: 'Tours' },
      { op: 'remove', path: `${enterpriseSchema}:department` },
    )
    expect(cleared).toEqual(user)
  })

  it('of a part merges with the others', () => {
    expect(onUser({ op: 'replace', path: 'name', value: { givenName: 'Babs' } }).name).toEqual({
      familyName: 'Jensen',
      givenName: 'Babs',
    })
    expect(onUser({ op: 'remove', path: 'name.givenName' }).name).toEqual({ familyName: 'Jensen' })
  })

  it('to nothing takes the attribute away', () => {
    expect(onUser({ op: 'replace', path: 'emails', value: [] }).emails).toBeUndefined()
    expect(onUser({ op: 'replace', path: 'name.familyName', value: '' }).name).toEqual({ givenName: 'Barbara' })
  })

  it('leaves the resource as it was that is changed', () => {
    const before = structuredClone(user)
    onUser({ op: 'remove', path: 'emails[type eq "work"]' }, { op: 'add', path: 'name.middleName', value: 'J' })
    expect(user).toEqual(before)
  })

  it('makes a resource that is read as it is, or is refused, whatever is sent', () => {
    const word = fc.constantFrom(
      'emails',
      'name',
      'members',
      'active',
      'groups',
      'id',
      '__proto__',
      'constructor',
      enterpriseSchema,
      'title',
    )
    const path = fc.oneof(
      word,
      fc.tuple(word, word).map(([a, b]) => `${a}.${b}`),
      fc.tuple(word, word).map(([a, b]) => `${a}[${b} eq "x"].value`),
      fc.string(),
    )
    const operation = fc.record({
      op: fc.constantFrom('add', 'replace', 'remove', 'Add'),
      path: fc.option(path, { nil: undefined }),
      value: fc.jsonValue({ maxDepth: 3 }),
    })
    fc.assert(
      fc.property(fc.array(operation, { minLength: 1, maxLength: 4 }), (Operations) => {
        try {
          const changed = patched(user, userResource, readOperations({ Operations }))
          expect(
            patched(changed, userResource, readOperations({ Operations: [{ op: 'remove', path: 'nickName' }] })),
          ).toEqual(changed)
        } catch (error) {
          expect(error).toBeInstanceOf(ScimError)
        }
        expect(Object.hasOwn(Object.prototype, 'value')).toBe(false)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('what an answer holds', () => {
  const whole = { schemas: ['s'], id: '7', ...user, [enterpriseSchema]: { department: 'Tours', costCenter: '7' } }
  const of = (attributes: string[], excluded: string[] = []) => chosen(userResource, { attributes, excluded })(whole)

  it('is what was asked for, and always id and schemas', () => {
    expect(of(['username', 'emails.value'])).toEqual({
      schemas: ['s'],
      id: '7',
      userName: 'bjensen',
      emails: [{ value: 'bjensen@example.com' }, { value: 'babs@jensen.org' }],
    })
    expect(of([`${enterpriseSchema}:department`])).toEqual({
      schemas: ['s'],
      id: '7',
      [enterpriseSchema]: { department: 'Tours' },
    })
    expect(of([], ['emails', 'name.givenName', 'id', enterpriseSchema])).toEqual({
      schemas: ['s'],
      id: '7',
      userName: 'bjensen',
      name: { familyName: 'Jensen' },
      addresses: [work, home],
    })
  })

  it('is in order, by the main value of a list', () => {
    const others = [
      { id: '1', emails: [{ value: 'z' }, { value: 'A', primary: true }] },
      { id: '2' },
      { id: '3', emails: [{ value: 'b' }] },
    ]
    const ids = (by: string, descending: boolean) =>
      sorted(userResource, others, { by, descending }).map(({ id }) => id)
    expect([ids('emails', false), ids('emails.value', true)]).toEqual([
      ['1', '3', '2'],
      ['2', '3', '1'],
    ])
    expect(() => ids('nothing', false)).toThrow(ScimError)
  })
})
