import { role } from '@tollgate/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { withSession } from '../../test/rights/calls.ts'
import { createPeople, type People, type Person } from '../../test/rights/people.ts'
import { openRightsSite, type RightsSite } from '../../test/rights/site.ts'
import { type NameServer, startNameServer } from '../../test/support/dns/name-server.ts'
import { provedDomain } from '../features/organisations/domains/proved-domains.ts'

/** Domains that organisations prove by a record of their DNS, asked of a name server. */

let names: NameServer
let site: RightsSite
let people: People
let owner: Person
let organisation: number

const ask = (person: Person, method: string, path: string, body?: unknown) =>
  site.ask({ method, path: `/api/organisation/${path}`, headers: withSession(person), ...(body ? { body } : {}) })
const codeOf = async (answer: ReturnType<typeof ask>): Promise<string | undefined> => (await answer).json.code
const found = async (by: Person): Promise<number> =>
  Number(((await ask(by, 'POST', '', { name: `Of ${by.id}` })).json.data as { id: number }).id)
const recordFor = async (id: number, domain: string, by = owner) =>
  (await ask(by, 'GET', `${id}/domain?domain=${domain}`)).json.data as {
    name: string
    value: string
    proved_time: number
  }
const prove = (domain: string, id = organisation, by = owner) => codeOf(ask(by, 'POST', `${id}/domain`, { domain }))

beforeAll(async () => {
  names = await startNameServer()
  site = await openRightsSite({ DNS_SERVERS: names.address })
  people = createPeople(site)
  const root = await people.make(role.root)
  const option = { key: 'OrganisationsEnabled', value: 'true' }
  await site.ask({ method: 'PUT', path: '/api/option/', headers: withSession(root), body: option })
  owner = await people.make(role.user)
  organisation = await found(owner)
})
afterAll(async () => {
  await site?.close()
  await names?.close()
})

it('makes a domain the organisation’s once its record is there, and says what is wrong before', async () => {
  const { name, value, proved_time } = await recordFor(organisation, 'acme.example')
  expect([name, proved_time]).toEqual(['_tollgate.acme.example', 0])
  expect(value).toMatch(/^tollgate-domain=[0-9a-f]{40}$/)
  const change = { name: 'Acme', domain: 'acme.example' }
  expect(await codeOf(ask(owner, 'PUT', `${organisation}`, change))).toBe('organisation_domain_foreign')

  expect(await prove('acme.example')).toBe('domain_record_missing')
  names.names.set(name, [])
  expect(await prove('acme.example')).toBe('domain_record_missing')
  names.names.set(name, ['v=spf1 -all', `${value}0`])
  expect(await prove('acme.example')).toBe('domain_record_other')
  names.names.set(name, { code: 2 })
  expect(await prove('acme.example')).toBe('domain_servers_refuse')
  const place = { organisationId: organisation, domain: 'acme.example' }
  expect(await provedDomain(site.database.query, place)).toBe('')

  names.names.set(name, ['x'.repeat(600), value])
  expect(await prove('acme.example')).toBeUndefined()
  expect((await recordFor(organisation, 'acme.example')).proved_time).toBeGreaterThan(1_700_000_000)
  expect(await provedDomain(site.database.query, place)).toBe('acme.example')
  const joiner = await people.make(role.user)
  await site.database.query
    .updateTable('users')
    .set({ email: 'eve@acme.example' })
    .where('id', '=', joiner.id)
    .execute()
  expect((await ask(joiner, 'GET', '')).json.data).toMatchObject({ joinable: [{ id: organisation }] })
  // Other settings are saved without another proof; another domain is not.
  expect(await codeOf(ask(owner, 'PUT', `${organisation}`, change))).toBeUndefined()
  expect(await codeOf(ask(owner, 'PUT', `${organisation}`, { ...change, domain: 'other.example' }))).toBe(
    'organisation_domain_foreign',
  )
  expect(await codeOf(ask(owner, 'PUT', `${organisation}`, { ...change, domain: '' }))).toBeUndefined()
  expect(await codeOf(ask(owner, 'PUT', `${organisation}`, change))).toBeUndefined()
})

it('asks for another record for each organisation and each domain', async () => {
  const another = await people.make(role.user)
  const theirs = await found(another)
  const [own, ofDomain] = [await recordFor(organisation, 'two.example'), await recordFor(organisation, 'three.example')]
  const foreign = await recordFor(theirs, 'two.example', another)
  expect(new Set([own.value, ofDomain.value, foreign.value]).size).toBe(3)
  names.names.set(own.name, [own.value])
  expect(await prove('two.example', theirs, another)).toBe('domain_record_other')
  expect(await prove('two.example')).toBeUndefined()
})

it('is an owner’s to do', async () => {
  const admin = await people.make(role.user)
  const { secret } = (await ask(owner, 'POST', `${organisation}/invitations`, { team_id: 0, role: 'admin' })).json
    .data as { secret: string }
  await ask(admin, 'POST', 'invitation/accept', { secret })
  const stranger = await people.make(role.admin)
  const before = names.asked.length
  expect(await prove('two.example', organisation, admin)).toBe('organisation_role_denied')
  expect(await prove('two.example', organisation, stranger)).toBe('not_found')
  expect(await codeOf(ask(admin, 'GET', `${organisation}/domain?domain=two.example`))).toBe('organisation_role_denied')
  expect(await codeOf(ask(stranger, 'GET', `${organisation}/domain?domain=two.example`))).toBe('not_found')
  for (const domain of ['localhost', 'a b.example', `${'a.'.repeat(130)}example`, '../x.example'])
    expect(await prove(domain)).toBe('invalid_parameter')
  expect(names.asked.length).toBe(before)
})

it('says that name servers are silent', async () => {
  const { name } = await recordFor(organisation, 'silent.example')
  names.names.set(name, 'silence')
  expect(await prove('silent.example')).toBe('domain_servers_silent')
})
