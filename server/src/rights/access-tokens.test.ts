import { areaOf, type Endpoint, isChange, levelOf, ownAreaOf, role, type Scope, scopesOpen } from '@tollgate/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type About, callOf, nameOf, withNamedToken, withSession } from '../../test/rights/calls.ts'
import { needsOutside } from '../../test/rights/kinds.ts'
import { createPeople, type People, type Person } from '../../test/rights/people.ts'
import { type Answer, openRightsSite, type RightsSite } from '../../test/rights/site.ts'

/** Every call of users and administrators × named access tokens with scopes. */

let site: RightsSite
let people: People
let target: Person

beforeAll(async () => {
  site = await openRightsSite()
  people = createPeople(site)
  target = await people.make(role.user)
})
afterAll(() => site?.close())

type Headers = Readonly<Record<string, string>>

const make = (person: Person, body: object): Promise<Answer> =>
  site.ask({
    method: 'POST',
    path: '/api/user/self/access_tokens',
    body: { name: 'ci', expires_time: 0, ...body },
    headers: withSession(person),
  })

const tokenOf = async (person: Person, scopes: readonly Scope[]): Promise<Headers> => {
  const { json } = await make(person, { scopes })
  const { token } = json.data as { token: string }
  return { authorization: `Bearer ${token}`, 'new-api-user': String(person.id) }
}

const about = (): About => ({ target, owner: target, publicSession: '' })

const calls = (): Endpoint[] => site.endpoints().filter(({ access }) => ['user', 'admin', 'root'].includes(access))

/** The refusal of a call with these scopes, undefined where its owner's role lets it through. */
const refusalOf = (endpoint: Endpoint, owner: Person, scopes: readonly Scope[]): string | undefined => {
  const level = levelOf(endpoint)
  if (endpoint.access === 'user') {
    const area = ownAreaOf(endpoint)
    if (area === 'sign_in') return 'access_token_not_supported'
    if (area === 'names') return level === 'read' ? undefined : 'token_scope_denied'
    return area !== undefined && scopesOpen(scopes, area, level) ? undefined : 'token_scope_denied'
  }
  // With scopes nobody is root.
  if (owner.role < role.admin || endpoint.access === 'root') return 'permission_denied'
  const area = areaOf(endpoint.path)
  if (area === undefined) return 'token_scope_denied'
  if (area !== 'shared') return scopesOpen(scopes, area, level) ? undefined : 'token_scope_denied'
  const ofStaff = scopes.some((scope) => !scope.startsWith('own_'))
  return level === 'read' && ofStaff ? undefined : 'token_scope_denied'
}

const refusals = ['token_scope_denied', 'access_token_not_supported', 'permission_denied', 'area_denied']

/** Asks what is closed, and reads what is open: together they change nothing. */
const assertHeldTo = async (person: Person, scopes: readonly Scope[]): Promise<void> => {
  const headers = await tokenOf(person, scopes)
  const before = [await people.picture(target), await people.traces()]
  for (const endpoint of calls()) {
    const refusal = refusalOf(endpoint, person, scopes)
    if (refusal === undefined && (isChange(endpoint) || needsOutside.has(nameOf(endpoint)))) continue
    const { json } = await site.ask({ ...callOf(endpoint, about()), headers })
    const code = refusals.includes(json.code ?? '') ? json.code : undefined
    expect([nameOf(endpoint), code]).toEqual([nameOf(endpoint), refusal])
  }
  expect([await people.picture(target), await people.traces()]).toEqual(before)
}

it('every call of users belongs to an area', () => {
  const arealess = calls().filter((endpoint) => endpoint.access === 'user' && ownAreaOf(endpoint) === undefined)
  expect(arealess.map(nameOf)).toEqual([])
})

it('lists of names that are open to every token only read', () => {
  const names = calls().filter((endpoint) => endpoint.access === 'user' && ownAreaOf(endpoint) === 'names')
  expect(names.filter(isChange).map(nameOf)).toEqual([])
})

describe('a token with scopes', () => {
  const cases: readonly (readonly [number, readonly Scope[]])[] = [
    [role.user, ['own_logs:read']],
    [role.user, ['own_keys:write', 'own_wallet:read']],
    [role.admin, ['logs:read']],
    [role.admin, ['own_account:read']],
    [role.admin, ['channels:read', 'models:write', 'own_organisations:write']],
    [role.root, ['users:read', 'settings:write']],
  ]
  it.each(cases)('of role %s with %j is held to them', async (userRole, scopes) => {
    await assertHeldTo(await people.make(userRole), scopes)
  })

  it('says which scope is missing', async () => {
    const headers = await tokenOf(await people.make(role.admin), ['logs:read'])
    const { json } = await site.ask({ method: 'GET', path: '/api/channel/', headers })
    expect(json).toMatchObject({
      success: false,
      code: 'token_scope_denied',
      message: expect.stringContaining('channels:read'),
    })
  })

  it('is let through to the changes of its areas', async () => {
    const person = await people.make(role.admin)
    const headers = await tokenOf(person, ['users:write', 'own_account:write'])
    const user = await people.make(role.user)
    const rename = { method: 'PUT', path: '/api/user/', body: { id: user.id, display_name: 'renamed' }, headers }
    expect((await site.ask(rename)).json.success).toBe(true)
    const own = { method: 'PUT', path: '/api/user/self', body: { display_name: 'me' }, headers }
    expect((await site.ask(own)).json.success).toBe(true)
  })

  it('cannot be made wider than its owner', async () => {
    expect((await make(await people.make(role.user), { scopes: ['logs:read'] })).json.code).toBe('permission_denied')
    const [root, admin] = [await people.make(role.root), await people.make(role.admin)]
    const permissions = { set: 'custom', areas: { logs: 'read' } }
    const path = `/api/user/${admin.id}/permissions`
    await site.ask({ method: 'PUT', path, body: { permissions }, headers: withSession(root) })
    expect((await make(admin, { scopes: ['logs:read'] })).json.success).toBe(true)
    expect((await make(admin, { scopes: ['logs:write'] })).json.code).toBe('area_denied')
  })

  it('shrinks with its owner, from the next call on', async () => {
    const [root, admin] = [await people.make(role.root), await people.make(role.admin)]
    const all = withNamedToken(admin)
    const some = await tokenOf(admin, ['channels:read', 'logs:read'])
    const code = async (headers: Headers): Promise<string | undefined> =>
      (await site.ask({ method: 'GET', path: '/api/channel/', headers })).json.code
    const change = (method: string, path: string, body: object) =>
      site.ask({ method, path, body, headers: withSession(root) })
    expect([await code(all), await code(some)]).toEqual([undefined, undefined])
    const logsOnly = { permissions: { set: 'custom', areas: { logs: 'read' } } }
    await change('PUT', `/api/user/${admin.id}/permissions`, logsOnly)
    expect([await code(all), await code(some)]).toEqual(['area_denied', 'area_denied'])
    await change('POST', '/api/user/manage', { id: admin.id, action: 'demote' })
    expect([await code(all), await code(some)]).toEqual(['permission_denied', 'permission_denied'])
    await change('POST', '/api/user/manage', { id: admin.id, action: 'disable' })
    expect([await code(all), await code(some)]).toEqual(['user_banned', 'user_banned'])
  })
})

describe('no token', () => {
  it('makes, or becomes, a wider one', async () => {
    const root = await people.make(role.root)
    const headers = withNamedToken(root)
    const code = async (method: string, path: string, body?: object): Promise<string | undefined> =>
      (await site.ask({ method, path, headers, ...(body === undefined ? {} : { body }) })).json.code
    const closed = 'access_token_not_supported'
    const wanted = { name: 'wider', scopes: ['all'], expires_time: 0 }
    expect(await code('POST', '/api/user/self/access_tokens', wanted)).toBe(closed)
    expect(await code('GET', '/api/user/token')).toBe(closed)
    expect(await code('POST', '/api/user/token')).toBe(closed)
    const password = { password: 'long enough', original_password: 'x' }
    expect(await code('PUT', '/api/user/self', password)).toBe(closed)
    expect(await code('PUT', '/api/user/', { id: root.id, password: 'long enough' })).toBe(closed)
    expect(await code('POST', `/api/user/${root.id}/2fa/reset`)).toBe(closed)
    expect(await code('DELETE', `/api/user/${root.id}/sessions`)).toBe(closed)
  })

  it('of root with scopes touches administrators', async () => {
    const [root, admin] = [await people.make(role.root), await people.make(role.admin)]
    const headers = await tokenOf(root, ['users:write'])
    const ask = (method: string, path: string, body: object) => site.ask({ method, path, body, headers })
    const taken = await ask('PUT', '/api/user/', { id: admin.id, password: 'long enough' })
    expect(taken.json.code).toBe('user_update_denied')
    const raised = await ask('POST', '/api/user/manage', { id: target.id, action: 'promote' })
    expect(raised.json.code).toBe('promote_denied')
  })
})

describe('tokens of others', () => {
  it('are seen and revoked by rank, at once, with a trace and without their text', async () => {
    const [root, admin, user] = [
      await people.make(role.root),
      await people.make(role.admin),
      await people.make(role.user),
    ]
    const list = (viewer: Person, owner: Person) =>
      site.ask({ method: 'GET', path: `/api/user/${owner.id}/access_tokens`, headers: withSession(viewer) })
    const listed = await list(admin, user)
    expect(listed.json.data).toMatchObject([{ id: user.namedTokenId, scopes: ['all'] }])
    expect(listed.text).not.toContain(user.namedToken)
    expect((await list(admin, root)).json.code).toBe('user_read_denied')
    expect((await list(root, admin)).json.data).toMatchObject([{ id: admin.namedTokenId }])

    const self = { method: 'GET', path: '/api/user/self', headers: withNamedToken(user) }
    expect((await site.ask(self)).json.success).toBe(true)
    const path = `/api/user/${user.id}/access_tokens/${user.namedTokenId}`
    expect((await site.ask({ method: 'DELETE', path, headers: withSession(admin) })).json.success).toBe(true)
    expect((await site.ask(self)).json.code).toBe('access_token_invalid')
    const trail = await site.ask({ method: 'GET', path: '/api/audit?p=1&page_size=1', headers: withSession(root) })
    expect(trail.text).toContain('access_token.revoke')
    // Another's token under the own name is none.
    const wrong = `/api/user/${user.id}/access_tokens/${admin.namedTokenId}`
    expect((await site.ask({ method: 'DELETE', path: wrong, headers: withSession(admin) })).json.code).toBe('not_found')
  })
})
