import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { userResource } from './attributes.ts'
import { attributePathOf, compareOperators, type Filter, parseFilter, parseTarget } from './filter.ts'
import { matchesFilter, type Resource, requiredText } from './matching.ts'
import { ScimError } from './scim-error.ts'

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

const jensen: Resource = {
  id: '7',
  externalId: 'bjensen-1',
  userName: 'bjensen@example.com',
  userType: 'Employee',
  title: 'Tour Guide',
  active: true,
  name: { familyName: "O'Malley", givenName: 'Barbara' },
  emails: [
    { value: 'bjensen@example.com', type: 'work', primary: true },
    { value: 'babs@example.org', type: 'home' },
  ],
  ims: [{ value: 'babs@foo.com', type: 'xmpp' }],
  meta: { resourceType: 'User', lastModified: '2011-05-13T04:42:34Z' },
  [enterprise]: { department: 'Tours', manager: { value: '26' } },
}

const fits = (filter: string, of: Resource = jensen): boolean => matchesFilter(parseFilter(filter), userResource)(of)

describe('a filter', () => {
  it.each([
    // The examples of RFC 7644, section 3.4.2.2.
    ['userName eq "bjensen@example.com"', true],
    ['userName eq "bjensen"', false],
    ['name.familyName co "O\'Malley"', true],
    ['userName sw "J"', false],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName sw "B"', true],
    ['title pr', true],
    ['nickName pr', false],
    ['meta.lastModified gt "2011-05-13T04:42:34Z"', false],
    ['meta.lastModified ge "2011-05-13T04:42:34Z"', true],
    ['meta.lastModified lt "2011-05-13T06:42:35+02:00"', true],
    ['meta.lastModified le "2011-05-13T04:42:34Z"', true],
    ['title pr and userType eq "Employee"', true],
    ['title pr or userType eq "Intern"', true],
    ['schemas eq "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"', false],
    ['userType eq "Employee" and (emails co "example.com" or emails.value co "example.org")', true],
    ['userType ne "Employee" and not (emails co "example.com" or emails.value co "example.org")', false],
    ['userType eq "Employee" and (emails.type eq "work")', true],
    ['userType eq "Employee" and emails[type eq "work" and value co "@example.com"]', true],
    ['emails[type eq "home" and value co "@example.com"] or ims[type eq "xmpp" and value co "@foo.com"]', true],
    ['emails[type eq "home" and value co "@example.com"]', false],
    // Filters of identity providers, and edge cases of the grammar.
    ['USERNAME Eq "BJENSEN@EXAMPLE.COM"', true],
    ['externalId eq "BJENSEN-1"', false],
    ['emails[type eq "work"].value eq "bjensen@example.com"', true],
    ['emails[type eq "home"].value eq "bjensen@example.com"', false],
    ['emails[primary eq "True"].value ew "example.com"', true],
    ['active eq true', true],
    ['active eq "False"', false],
    ['active ne false', true],
    [`${enterprise}:department eq "tours"`, true],
    [`${enterprise}:manager.value eq "26"`, true],
    ['nickName eq null', true],
    ['title ne null', true],
    ['unknown eq "x"', false],
    ['unknown ne "x"', true],
    ['not (title pr) or not (nickName pr)', true],
    ['title pr and nickName pr or active eq true', true],
    ['title pr and (nickName pr or active eq false)', false],
    ['title eq "Tour \\u0047uide"', true],
    ['name pr', true],
    ['title gt "Tour"', true],
  ])('%s: %s', (filter, expected) => {
    expect(fits(filter)).toBe(expected)
  })

  it.each([
    ...[
      '',
      ' ',
      'userName',
      'userName eq',
      'userName eq bjensen',
      'eq "x"',
      'userName xx "x"',
      '(userName pr',
      'userName pr)',
    ],
    ...[
      'userName pr and',
      'not userName pr',
      'emails[type eq "work"',
      'emails[]',
      'emails.type[value pr]',
      'userName eq "x',
    ],
    ...['userName eq "\\x"', 'a.b.c pr', 'userName pr userName pr', 'userName eq 01', 'name eq "x"', 'active gt true'],
    ...['userName[value pr]', 'meta.created gt "yesterday"', 'userName co 5', 'userName lt true', '"userName" pr', ']'],
    `${'('.repeat(30)}userName pr${')'.repeat(30)}`,
    Array.from({ length: 101 }, () => 'title pr').join(' or '),
    `userName eq "${'x'.repeat(4000)}"`,
  ])('%s is refused', (filter) => {
    expect(() => fits(filter)).toThrow(ScimError)
    try {
      fits(filter)
    } catch (error) {
      expect(error).toMatchObject({ status: 400, scimType: 'invalidFilter' })
    }
  })

  it('says which text a match must have', () => {
    const of = (filter: string) => requiredText(parseFilter(filter), userResource, 'userName')
    expect(of('userName eq "a"')).toBe('a')
    expect(of('active eq true and username eq "a"')).toBe('a')
    expect(of('userName eq "a" or active eq true')).toBeUndefined()
    expect(of('not (userName eq "a")')).toBeUndefined()
    expect(of('userName sw "a"')).toBeUndefined()
  })
})

describe('the path of a change', () => {
  it.each([
    ['members', { path: { schema: '', name: 'members', sub: undefined }, of: undefined }],
    ['name.familyName', { path: { name: 'name', sub: 'familyName' }, of: undefined }],
    [
      'addresses[type eq "work"].streetAddress',
      { path: { name: 'addresses', sub: 'streetAddress' }, of: { kind: 'compare' } },
    ],
    ['members[value eq "26"]', { path: { name: 'members', sub: undefined }, of: { value: '26' } }],
    [`${enterprise}:department`, { path: { schema: enterprise, name: 'department' } }],
  ])('%s', (text, expected) => {
    expect(parseTarget(text)).toMatchObject(expected)
  })

  it.each(['', 'a b', 'emails[type eq "work"', 'emails[type eq "work"].', 'emails[type eq "work"]value', '9', 'a.b.c'])(
    '%s is refused',
    (text) => {
      expect(() => parseTarget(text)).toThrow(expect.objectContaining({ scimType: 'invalidPath' }))
    },
  )
})

describe('the reader of filters', () => {
  const name = fc.constantFrom('userName', 'title', 'emails', 'name', 'active', 'x-y_z9', 'nickName')
  const sub = fc.constantFrom(undefined, 'value', 'type', 'familyName')
  const schema = fc.constantFrom('', 'urn:ietf:params:scim:schemas:core:2.0:User')
  const path = fc.record({ schema, name, sub })
  const value = fc.oneof(
    fc.string(),
    fc.boolean(),
    fc.integer(),
    fc.double({ noDefaultInfinity: true, noNaN: true }),
    fc.constant(null),
  )
  const { filter } = fc.letrec<{ filter: Filter; leaf: Filter }>((tie) => ({
    leaf: fc.oneof(
      fc.record({ kind: fc.constant('present' as const), path }),
      fc.record({ kind: fc.constant('compare' as const), path, operator: fc.constantFrom(...compareOperators), value }),
    ),
    filter: fc.oneof(
      { maxDepth: 4 },
      tie('leaf'),
      fc.record({ kind: fc.constant('not' as const), of: tie('filter') }),
      fc.record({
        kind: fc.constantFrom('and' as const, 'or' as const),
        parts: fc.array(tie('filter'), { minLength: 2, maxLength: 3 }),
      }),
      fc.record({
        kind: fc.constant('some' as const),
        path: path.map((one) => ({ ...one, sub: undefined })),
        of: tie('leaf'),
      }),
    ),
  }))

  const pathText = ({
    schema: of,
    name: attribute,
    sub: part,
  }: {
    schema: string
    name: string
    sub: string | undefined
  }) => `${of === '' ? '' : `${of}:`}${attribute}${part === undefined ? '' : `.${part}`}`
  const text = (of: Filter): string => {
    switch (of.kind) {
      case 'present':
        return `${pathText(of.path)} pr`
      case 'compare':
        return `${pathText(of.path)} ${of.operator} ${JSON.stringify(of.value)}`
      case 'not':
        return `not (${text(of.of)})`
      case 'some':
        return `${pathText(of.path)}[${text(of.of)}]`
      default:
        return of.parts.map((part) => `(${text(part)})`).join(` ${of.kind} `)
    }
  }

  it('reads every filter as it was meant', () => {
    fc.assert(
      fc.property(filter, (of) => {
        const printed = text(of)
        fc.pre(printed.length < 4000)
        // -0 is printed as 0, and equal to it.
        expect(JSON.stringify(parseFilter(printed))).toBe(JSON.stringify(of))
      }),
      { numRuns: 500 },
    )
  })

  it('reads or refuses whatever is sent, and nothing else happens', () => {
    const pieces = fc.array(
      fc.constantFrom(
        '(',
        ')',
        '[',
        ']',
        '"',
        '\\',
        ' ',
        'and',
        'or',
        'not',
        'eq',
        'pr',
        'userName',
        '.',
        ':',
        '5',
        '"x"',
        'null',
      ),
      { maxLength: 40 },
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ maxLength: 300 }),
          pieces.map((all) => all.join('')),
          pieces.map((all) => all.join(' ')),
        ),
        (any) => {
          for (const read of [() => fits(any), () => parseTarget(any)]) {
            try {
              read()
            } catch (error) {
              expect(error).toBeInstanceOf(ScimError)
            }
          }
          attributePathOf(any)
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('takes no time for what cannot be read', () => {
    const started = process.cpuUsage()
    for (const hostile of [
      `userName eq "${'\\'.repeat(3900)}`,
      '('.repeat(3999),
      'a '.repeat(1999),
      '"'.repeat(3999),
      'not ('.repeat(700),
    ])
      expect(() => parseFilter(hostile)).toThrow(ScimError)
    const { user, system } = process.cpuUsage(started)
    expect((user + system) / 1000).toBeLessThan(2000)
  })
})
