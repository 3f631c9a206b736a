import { role } from '@tollgate/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { withSession } from '../../test/rights/calls.ts'
import { createPeople, type People, type Person } from '../../test/rights/people.ts'
import { openRightsSite, type RightsSite } from '../../test/rights/site.ts'
import { type NameServer, startNameServer } from '../../test/support/dns/name-server.ts'

/** A whole site where an organisation proves a domain by its DNS, enforces its provider there, and gives the domain up. */

let names: NameServer
let site: RightsSite
let people: People
let root: Person
let owner: Person
let organisation: number

const ask = (person: Person, method: string, path: string, body?: unknown) =>
  site.ask({ method, path: `/api/organisation/${path}`, headers: withSession(person), ...(body ? { body } : {}) })
const found = async (by: Person): Promise<number> =>
  Number(((await ask(by, 'POST', '', { name: `Of ${by.id}` })).json.data as { id: number }).id)
const prove = async (domain: string) => {
  const { data } = (await ask(owner, 'GET', `${organisation}/domain?domain=${domain}`)).json
  const { name, value } = data as { name: string; value: string }
  names.names.set(name, [value])
  return (await ask(owner, 'POST', `${organisation}/domain`, { domain })).json
}
const provider = {
  slug: 'acme',
  name: 'Acme',
  connection: { kind: 'oidc', issuer: 'https://idp.example', client_id: 'gate' },
}
const change = async (more: object) => {
  const { id } = await listed()
  return (await ask(owner, 'PUT', `${organisation}/identity_providers/${id}`, { ...provider, ...more })).json
}
const listed = async () => {
  const { data } = (await ask(owner, 'GET', `${organisation}/identity_providers`)).json
  const { items, proved_domain } = data as { items: { id: number; enforced: boolean }[]; proved_domain: string }
  return { ...(items[0] ?? { id: 0, enforced: false }), proved_domain }
}
let asked = 0
/** Error code for a wrong password of an address, which differs if a provider is enforced there. */
const codeAt = async (domain: string) => {
  asked += 1
  const body = { username: `ada${asked}@${domain}`, password: 'wrong password' }
  return (await site.ask({ method: 'POST', path: '/api/user/login', body })).json.code
}

beforeAll(async () => {
  names = await startNameServer()
  site = await openRightsSite({ DNS_SERVERS: names.address })
  people = createPeople(site)
  root = await people.make(role.root)
  for (const key of ['OrganisationsEnabled', 'OrganisationProvidersEnabled'])
    await site.ask({ method: 'PUT', path: '/api/option/', headers: withSession(root), body: { key, value: 'true' } })
  owner = await people.make(role.user)
  organisation = await found(owner)
  await ask(owner, 'POST', `${organisation}/identity_providers`, provider)
})
afterAll(async () => {
  await site?.close()
  await names?.close()
})

const ownerCameIn = () =>
  site.database.query
    .updateTable('identity_providers')
    .set({ owner_sign_in_time: 1 })
    .where('organisation_id', '=', organisation)
    .execute()

it('is enforced for a domain that its DNS proved, and not for one of an owner’s address alone', async () => {
  await ownerCameIn()
  await site.database.query
    .updateTable('organisations')
    .set({ domain: 'acme.example' })
    .where('id', '=', organisation)
    .execute()
  expect((await listed()).proved_domain).toBe('')
  expect(await change({ enforced: true })).toMatchObject({ code: 'enforced_without_proof' })
  expect(await prove('acme.example')).toMatchObject({ success: true })
  expect((await listed()).proved_domain).toBe('acme.example')
  expect(await change({ enforced: true, domains: ['other.example'] })).toMatchObject({ code: 'provider_only_for_site' })
  expect(await codeAt('acme.example')).toBe('credentials_wrong')
  expect(await change({ enforced: true })).toMatchObject({ success: true })
  expect(await codeAt('acme.example')).toBe('sso_or_credentials_wrong')
})

it('ends with the domain, for good, and does not follow to another one', async () => {
  const named = { name: 'Acme' }
  await ask(owner, 'PUT', `${organisation}`, { ...named, domain: '' })
  expect([await codeAt('acme.example'), (await listed()).enforced]).toEqual(['credentials_wrong', false])
  await ask(owner, 'PUT', `${organisation}`, { ...named, domain: 'acme.example' })
  expect([await codeAt('acme.example'), (await listed()).enforced]).toEqual(['credentials_wrong', false])
  await change({ enforced: true })
  expect(await codeAt('acme.example')).toBe('sso_or_credentials_wrong')
  await prove('second.example')
  expect([await codeAt('acme.example'), await codeAt('second.example')]).toEqual([
    'credentials_wrong',
    'credentials_wrong',
  ])
  const trail = await site.database.query
    .selectFrom('audit')
    .select('action')
    .where('action', '=', 'organisation.enforcement_end')
    .execute()
  expect(trail).toHaveLength(2)
})

it('is never for a domain of mailboxes for everybody', async () => {
  await prove('gmail.com')
  expect(await change({ enforced: true })).toMatchObject({ code: 'enforced_without_proof' })
})
