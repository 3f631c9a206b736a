import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { role } from '@tollgate/contract'
import { expect } from 'vitest'
import { withSession } from '../calls.ts'
import { createPeople, type Person } from '../people.ts'
import { type Answer, openRightsSite } from '../site.ts'

const answerText = JSON.stringify({
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-4o',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
})

/** An upstream that answers every call. */
const openUpstream = async () => {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(answerText)
  })
  // A busy machine may take seconds between two calls, and a connection must not close under the second.
  server.keepAliveTimeout = 600_000
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

export const codeOf = async (answer: Promise<Answer>): Promise<string | undefined> => (await answer).json.code

/**
 * A whole site with the organisation Northwind: the teams Platform and Research with the projects billing-api and papers, one
 * member of each role in the whole organisation, two in Platform, and a stranger, who belongs to none. `close` it.
 */
export const openNorthwind = async () => {
  const site = await openRightsSite()
  const upstream = await openUpstream()
  const people = createPeople(site)
  const root = await people.make(role.root)
  const members: Record<string, Person> = {}

  const ask = (person: Person, method: string, path: string, body?: unknown): Promise<Answer> =>
    site.ask({ method, path: `/api/organisation/${path}`, headers: withSession(person), ...(body ? { body } : {}) })

  /** The data of an answer that has to be a success. */
  const done = async (person: Person, method: string, path: string, body?: unknown): Promise<Record<string, never>> => {
    const answer = await ask(person, method, path, body)
    expect([path, answer.json.success, answer.json.code]).toEqual([path, true, undefined])
    return (answer.json.data ?? {}) as Record<string, never>
  }
  const idOf = async (answer: Promise<Record<string, never>>): Promise<number> => Number((await answer).id)

  const option = { method: 'PUT', path: '/api/option/', headers: withSession(root) }
  const channel = { type: 1, name: 'c', key: 'sk-c', models: 'gpt-4o', group: 'default', base_url: upstream.url }
  const added = await site.ask({ ...option, method: 'POST', path: '/api/channel/', body: channel })
  expect(added.json.success).toBe(true)
  const { id: channelId } = await site.database.query
    .selectFrom('channels')
    .select('id')
    .where('name', '=', 'c')
    .executeTakeFirstOrThrow()
  const owner = await people.make(role.user)
  expect(await codeOf(ask(owner, 'POST', '', { name: 'Northwind' }))).toBe('organisations_closed')
  await site.ask({ ...option, body: { key: 'OrganisationsEnabled', value: 'true' } })
  const stranger = await people.make(role.user)
  const organisation = await idOf(done(owner, 'POST', '', { name: 'Northwind' }))
  const makeTeam = (name: string) => idOf(done(owner, 'PUT', `${organisation}/team`, { team_id: 0, name }))
  const makeProject = (name: string, team_id: number) =>
    idOf(done(owner, 'PUT', `${organisation}/project`, { project_id: 0, team_id, name }))
  const [team, otherTeam] = [await makeTeam('Platform'), await makeTeam('Research')]
  const [project, otherProject] = [await makeProject('billing-api', team), await makeProject('papers', otherTeam)]

  /** Invites a new person, who accepts; `label` is for `someone`. */
  const join = async (label: string, memberRole: string, teamId = 0): Promise<Person> => {
    const person = await people.make(role.user)
    const body = { team_id: teamId, role: memberRole }
    const { secret } = await done(owner, 'POST', `${organisation}/invitations`, body)
    await done(person, 'POST', 'invitation/accept', { secret })
    members[label] = person
    return person
  }
  for (const name of ['admin', 'billing', 'member', 'viewer']) await join(name, name)
  await join('team admin', 'admin', team)
  await join('team member', 'member', team)

  return {
    site,
    people,
    owner,
    stranger,
    upstreamUrl: upstream.url,
    /** Ids. */
    at: { channel: channelId, organisation, team, otherTeam, project, otherProject },
    ask,
    done,
    join,
    someone: (label: string): Person => (label === 'owner' ? owner : (members[label] ?? expect.fail(label))),
    /** A chat call with a key. */
    call: (key: string): Promise<Answer> =>
      site.ask({
        method: 'POST',
        path: '/v1/chat/completions',
        headers: { authorization: `Bearer sk-${key}` },
        body: { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] },
      }),
    close: async () => {
      await site.close()
      upstream.close()
    },
  }
}
