import {
  areaOf,
  type Endpoint,
  isChange,
  levelOf,
  type Permissions,
  readySetNames,
  readySets,
  role,
  type StaffGrant,
  staffAreas,
} from '@tollgate/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type About, callOf, nameOf, withAccessToken, withSession } from '../../test/rights/calls.ts'
import { needsOutside } from '../../test/rights/kinds.ts'
import { createPeople, type People, type Person } from '../../test/rights/people.ts'
import { type Answer, openRightsSite, type RightsSite } from '../../test/rights/site.ts'

/** Every call of administrators × every set of permissions. */

let site: RightsSite
let people: People
let root: Person
let target: Person

beforeAll(async () => {
  site = await openRightsSite()
  people = createPeople(site)
  root = await people.make(role.root)
  target = await people.make(role.user)
})
afterAll(() => site?.close())

const ofAdministrators = (): Endpoint[] => site.endpoints().filter(({ access }) => access === 'admin')

const give = (person: Person, permissions: StaffGrant | null): Promise<Answer> =>
  site.ask({
    method: 'PUT',
    path: `/api/user/${person.id}/permissions`,
    body: { permissions },
    headers: withSession(root),
  })

const administrator = async (permissions: StaffGrant | null): Promise<Person> => {
  const person = await people.make(role.admin)
  expect((await give(person, permissions)).json.success).toBe(true)
  return person
}

const about = (): About => ({ target, owner: target, publicSession: '' })

const isOpen = (permissions: Permissions, endpoint: Endpoint): boolean => {
  const area = areaOf(endpoint.path)
  const level = levelOf(endpoint)
  if (area === undefined) return false
  if (area === 'shared') return level === 'read'
  return permissions[area] === 'write' || permissions[area] === level
}

const closedCodes = ['area_denied', 'permission_denied']

/** Asks what is closed, and reads what is open. Changes that are open are the matrix's own subject. */
const assertHeldTo = async (person: Person, permissions: Permissions, ways = [withSession]): Promise<void> => {
  const before = [await people.picture(target), await people.traces()]
  for (const endpoint of ofAdministrators()) {
    const open = isOpen(permissions, endpoint)
    if (open && (isChange(endpoint) || needsOutside.has(nameOf(endpoint)))) continue
    const call = callOf(endpoint, about())
    for (const headers of ways) {
      const { json } = await site.ask({ ...call, headers: headers(person) })
      expect([nameOf(endpoint), closedCodes.includes(json.code ?? '')]).toEqual([nameOf(endpoint), !open])
    }
  }
  expect([await people.picture(target), await people.traces()]).toEqual(before)
}

it('every call of administrators and of root belongs to an area', () => {
  const arealess = site
    .endpoints()
    .filter(({ access, path }) => /admin|root/.test(access) && areaOf(path) === undefined)
  expect(arealess.map(nameOf)).toEqual([])
})

it('calls that are shared by all areas only read', () => {
  const shared = ofAdministrators().filter(({ path }) => areaOf(path) === 'shared')
  expect(shared.filter(isChange).map(nameOf)).toEqual([])
})

describe('an administrator', () => {
  it.each(readySetNames)('with the ready set "%s" is held to it', async (set) => {
    await assertHeldTo(await administrator({ set }), readySets[set], [withSession, withAccessToken])
  })

  it.each(staffAreas)('who may only read "%s" reads nothing else and changes nothing', async (area) => {
    await assertHeldTo(await administrator({ set: 'custom', areas: { [area]: 'read' } }), { [area]: 'read' })
  })

  it('who may change an area is let through to its changes', async () => {
    for (const area of staffAreas) {
      const person = await administrator({ set: 'custom', areas: { [area]: 'write' } })
      const change = ofAdministrators().find(
        (one) => areaOf(one.path) === area && isChange(one) && one.method !== 'GET',
      )
      if (change === undefined) continue
      const { json } = await site.ask({ ...callOf(change, about()), headers: withSession(person) })
      // Options are root's to change, whatever the area.
      expect([area, json.code === 'area_denied']).toEqual([area, false])
    }
  })

  it('without a set, or whose set was taken away, keeps everything', async () => {
    const person = await administrator({ set: 'custom', areas: {} })
    const read = { method: 'GET', path: '/api/channel/', headers: withSession(person) }
    expect((await site.ask(read)).json.code).toBe('area_denied')
    await give(person, null)
    expect((await site.ask(read)).json.success).toBe(true)
  })

  it('may see and rename users without billing rights, but not change a balance', async () => {
    const person = await administrator({ set: 'support' })
    const user = await people.make(role.user)
    const change = (body: object) =>
      site.ask({ method: 'PUT', path: '/api/user/', body: { id: user.id, ...body }, headers: withSession(person) })
    expect((await change({ display_name: 'renamed' })).json.success).toBe(true)
    expect((await change({ quota_delta: 5, reason: 'a gift' })).json).toMatchObject({
      code: 'area_denied',
      message: expect.stringContaining('billing:write'),
    })
  })

  it('who may only read finds no channel by a guess at its key', async () => {
    const key = 'sk-guessed-0123456789abcdef'
    const body = { type: 1, name: 'guessed', key, models: 'm', group: 'default' }
    const made = await site.ask({ method: 'POST', path: '/api/channel/', body, headers: withSession(root) })
    expect(made.json.success).toBe(true)
    const [reader, operator] = [
      await administrator({ set: 'auditor' }),
      await administrator({ set: 'channel_operator' }),
    ]
    const found = async (person: Person, path: string): Promise<boolean> => {
      const answer = await site.ask({ method: 'GET', path, headers: withSession(person) })
      expect(answer.json.success).toBe(true)
      return answer.text.includes('"guessed"')
    }
    for (const way of ['search', 'browse']) {
      const path = `/api/channel/${way}?keyword=${key}`
      expect([way, await found(reader, path), await found(operator, path)]).toEqual([way, false, true])
    }
    const counted = (person: Person) =>
      site.ask({ method: 'GET', path: `/api/channel/facets?facet=type&keyword=${key}`, headers: withSession(person) })
    expect((await counted(reader)).text).not.toBe((await counted(operator)).text)
    const compare = { method: 'POST', path: '/api/channel/keys/compare', body: { channels: [{ id: 1, key }] } }
    const asked = async (person: Person) => (await site.ask({ ...compare, headers: withSession(person) })).json.code
    expect([await asked(reader), await asked(operator)]).toEqual(['area_denied', undefined])
  })
})

describe('permissions', () => {
  it('are set by root only, for anybody below, and leave a trace', async () => {
    const [admin, other] = [await people.make(role.admin), await people.make(role.admin)]
    const path = `/api/user/${other.id}/permissions`
    const body = { permissions: { set: 'auditor' } }
    const ask = (person: Person) => site.ask({ method: 'PUT', path, body, headers: withSession(person) })
    expect((await ask(admin)).json.code).toBe('permission_denied')
    expect((await ask(root)).json.data).toMatchObject({ permissions: { set: 'auditor', areas: { channels: 'read' } } })
    const trail = await site.ask({ method: 'GET', path: '/api/audit?p=1&page_size=1', headers: withSession(root) })
    expect(trail.text).toContain('user.permissions')
    expect((await give(root, { set: 'auditor' })).json.code).toBe('root_permissions_denied')
  })

  it('that cannot be read open nothing', async () => {
    const person = await administrator({ set: 'auditor' })
    await site.database.query
      .updateTable('users')
      .set({ staff_permissions: '{"set":"all"}' })
      .where('id', '=', person.id)
      .execute()
    const answer = await site.ask({ method: 'GET', path: '/api/audit', headers: withSession(person) })
    expect(answer.json.code).toBe('area_denied')
  })
})
