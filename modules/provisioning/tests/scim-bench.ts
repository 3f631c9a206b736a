import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { role } from '@tollgate/contract'
import { expect } from 'vitest'
import type { DatabaseAddress, Engine } from '#server/db/database.ts'
import { newSessionId } from '#server/lib/ids.ts'
import { withSession } from '#server-test/rights/calls.ts'
import { createPeople, type People, type Person } from '#server-test/rights/people.ts'
import { type Answer, openRightsSite, type RightsSite } from '#server-test/rights/site.ts'

export const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const enterpriseSchema = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

export interface ScimAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: Record<string, unknown>
}

interface More {
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

/** The whole product with an organisation, Northwind, that an identity provider has a token of. */
export interface ScimBench {
  readonly site: RightsSite
  readonly people: People
  /** Has proved an address in the organisation's domain, northwind.example. */
  readonly owner: Person
  readonly admin: Person
  readonly organisation: number
  /** Named Platform. */
  readonly team: number
  /** Token of the identity provider. */
  readonly token: string
  /** A call of the console about organisations. */
  ask(person: Person, method: string, path: string, body?: unknown): Promise<Answer>
  /** The same, which must succeed; answers its data. */
  done(person: Person, method: string, path: string, body?: unknown): Promise<Record<string, unknown>>
  scimOf(bearer: string, organisation: number, method: string, path: string, more?: More): Promise<ScimAnswer>
  /** A call with the organisation's token. */
  scim(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ScimAnswer>
  find(filter: string): Promise<ScimAnswer>
  patch(path: string, ...operations: object[]): Promise<ScimAnswer>
  /** Makes a user and answers its number. */
  made(body: object): Promise<string>
  /** Makes an address the proved one of a person. */
  prove(person: Person, address: string): Promise<void>
  /** Roles by team, 0 for the organisation. */
  placesOf(id: number | string): Promise<Record<number, string>>
  signIn(id: number | string): Promise<Person>
  /** Makes a project with a key of this member; answers a function that calls with the key, at one node, and resolves to the status. */
  projectCalls(member: Person): Promise<(node?: Pick<RightsSite, 'ask'>) => Promise<number>>
  close(): Promise<void>
}

const answerText = JSON.stringify({
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-4o',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
})

/** `environment` is what the product is started with besides. */
export const openScimBench = async (
  place: () => Promise<DatabaseAddress>,
  engine: Engine,
  environment: Readonly<Record<string, string>> = {},
): Promise<ScimBench> => {
  const upstream = createServer({ keepAliveTimeout: 0 }, (_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(answerText)
  })
  const { url } = await place()
  const site = await openRightsSite({ ...environment, ...(engine === 'sqlite' ? {} : { SQL_DSN: url }) })
  const people = createPeople(site)
  const { query } = site.database

  const ask = (person: Person, method: string, path: string, body?: unknown): Promise<Answer> =>
    site.ask({ method, path: `/api/organisation/${path}`, headers: withSession(person), ...(body ? { body } : {}) })
  const done = async (person: Person, method: string, path: string, body?: unknown) => {
    const answer = await ask(person, method, path, body)
    expect([path, answer.json.success, answer.json.code]).toEqual([path, true, undefined])
    return (answer.json.data ?? {}) as Record<string, unknown>
  }
  const prove = async ({ id }: Person, address: string): Promise<void> => {
    await query.updateTable('users').set({ email: address }).where('id', '=', id).execute()
    const identity = { provider: 'email', subject: address, user_id: id, name: address, created_time: 1 }
    await query.insertInto('identities').values(identity).execute()
  }

  const root = await people.make(role.root)
  const option = { method: 'PUT', path: '/api/option/', headers: withSession(root) }
  await once(upstream.listen(0, '127.0.0.1'), 'listening')
  const base_url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
  const channel = { type: 1, name: 'c', key: 'sk-c', models: 'gpt-4o', group: 'default', base_url }
  await site.ask({ ...option, method: 'POST', path: '/api/channel/', body: channel })
  await site.ask({ ...option, body: { key: 'OrganisationsEnabled', value: 'true' } })
  const owner = await people.make(role.user)
  const admin = await people.make(role.user)
  await prove(owner, 'founder@northwind.example')
  const organisation = Number((await done(owner, 'POST', '', { name: 'Northwind' })).id)
  await done(owner, 'PUT', `${organisation}`, { name: 'Northwind', domain: 'northwind.example' })
  const team = Number((await done(owner, 'PUT', `${organisation}/team`, { team_id: 0, name: 'Platform' })).id)
  const { secret } = await done(owner, 'POST', `${organisation}/invitations`, { team_id: 0, role: 'admin' })
  await done(admin, 'POST', 'invitation/accept', { secret })
  const { token } = await done(owner, 'POST', `${organisation}/provisioning/tokens`, { name: 'Entra', days: 0 })
  const paid = { direction: 'in', amount: 500_000, transfer_id: 'scim-pay-in' }
  await done(owner, 'POST', `${organisation}/transfer`, paid)

  const scimOf: ScimBench['scimOf'] = async (bearer, id, method, path, more = {}) => {
    const answer = await site.ask({
      method,
      path: `/scim/v2/${id}/${path}`,
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/scim+json', ...more.headers },
      ...(more.body === undefined ? {} : { body: more.body }),
    })
    return { ...answer, body: answer.text === '' ? {} : (JSON.parse(answer.text) as Record<string, unknown>) }
  }
  const scim: ScimBench['scim'] = (method, path, body, headers) =>
    scimOf(String(token), organisation, method, path, { body, ...(headers ? { headers } : {}) })

  return {
    site,
    people,
    owner,
    admin,
    organisation,
    team,
    token: String(token),
    ask,
    done,
    prove,
    scimOf,
    scim,
    find: (filter) => scim('GET', `Users?filter=${encodeURIComponent(filter)}`),
    patch: (path, ...Operations) => scim('PATCH', path, { schemas: [patchSchema], Operations }),
    async made(body) {
      const answer = await scim('POST', 'Users', { schemas: [userSchema], ...body })
      expect([answer.status, answer.text]).toEqual([201, answer.text])
      return String(answer.body.id)
    },
    async placesOf(id) {
      const rows = await query
        .selectFrom('memberships')
        .select(['team_id', 'role'])
        .where('organisation_id', '=', organisation)
        .where('user_id', '=', Number(id))
        .execute()
      return Object.fromEntries(rows.map((row) => [row.team_id, row.role]))
    },
    async signIn(id) {
      const session = newSessionId()
      const row = { user_id: Number(id), created_time: 1, last_seen_time: 1, expires_time: 4_000_000_000 }
      const facts = { ip: '192.0.2.9', user_agent: 'a', confirmed_time: 1 }
      const id_hash = site.secrets.digest('session', session)
      await query
        .insertInto('sessions')
        .values({ ...row, ...facts, id_hash })
        .execute()
      return { ...owner, id: Number(id), session }
    },
    async projectCalls(member) {
      const project = Number(
        (await done(owner, 'PUT', `${organisation}/project`, { project_id: 0, team_id: team, name: 'api' })).id,
      )
      const key = { name: 'k', unlimited_quota: true, project_id: project, member_id: member.id }
      const { key: secret } = await done(member, 'POST', `${organisation}/keys`, key)
      return async (node = site) =>
        (
          await node.ask({
            method: 'POST',
            path: '/v1/chat/completions',
            headers: { authorization: `Bearer sk-${secret}` },
            body: { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] },
          })
        ).status
    },
    async close() {
      await site.close()
      upstream.close()
    },
  }
}
