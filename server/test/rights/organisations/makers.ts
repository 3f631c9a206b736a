import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { role } from '@tollgate/contract'
import { openProviderAccount } from '../../support/direct/provider-account.ts'
import { asyncListener } from '../../support/lib/async-listener.ts'
import { withSession } from '../calls.ts'
import { createPeople, type Person } from '../people.ts'
import { type Answer, type Ask, openRightsSite } from '../site.ts'
import { type Made, madeText, makersIn, plantMade } from './made.ts'

/** An upstream that answers with what it was asked, under an id of its own. `sent` are the calls that it got. */
const openEcho = async () => {
  const sent: string[] = []
  const stored = new Map<string, string>()
  let answers = 0
  const server = createServer(
    asyncListener(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const body = Buffer.concat(chunks).toString()
      sent.push(`${request.method} ${request.url} ${body}`)
      answers += 1
      // A provider knows what it answered before, and goes on from it.
      const [, previous = ''] = /"previous_response_id":"([^"]+)"/.exec(body) ?? []
      const known = `${body} ${stored.get(previous) ?? ''}`
      const content = [{ type: 'output_text', text: makersIn(known).map(madeText).join(' '), annotations: [] }]
      response.setHeader('content-type', 'application/json')
      const [, id] = /^\/v1\/responses\/([^/?]+)/.exec(request.url ?? '') ?? []
      const answer = { object: 'response', created_at: 1, status: 'completed', model: 'gpt-4o' }
      if (id !== undefined)
        response.end(JSON.stringify({ id, ...answer, output: [{ type: 'text', text: stored.get(id) }] }))
      else if (/\/image-seed$/.test(request.url ?? '')) response.end(JSON.stringify({ code: 1, result: 'seed' }))
      else if (request.url === '/v1/responses') {
        const made = { id: `resp_${answers}`, ...answer, usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 } }
        stored.set(made.id, JSON.stringify(content))
        const output = [{ type: 'message', id: 'm', role: 'assistant', status: 'completed', content }]
        if (!body.includes('"stream":true')) response.end(JSON.stringify({ ...made, output }))
        else {
          response.setHeader('content-type', 'text/event-stream')
          const events = [
            { type: 'response.created', response: { ...made, status: 'in_progress', output: [], usage: null } },
            { type: 'response.output_text.delta', item_id: 'm', output_index: 0, delta: content[0]?.text },
            { type: 'response.completed', response: { ...made, output } },
          ]
          response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''))
        }
      } else {
        const message = { role: 'assistant', content: content[0]?.text }
        const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
        const choices = [{ index: 0, message, finish_reason: 'stop' }]
        const chat = { id: `chat_${answers}`, object: 'chat.completion', created: 1, model: 'gpt-4o', choices, usage }
        response.end(JSON.stringify(chat))
      }
    }),
  )
  // A busy machine may take seconds between two calls, and a connection must not close under the second.
  server.keepAliveTimeout = 600_000
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent, close: () => server.close() }
}

/**
 * A site with the organisation Northwind: its owner, the members Ann and Bob, and the projects one and two, each in a team of its own.
 * A channel takes ordinary calls, another one direct calls. `close` it.
 */
export const openMakers = async () => {
  const site = await openRightsSite()
  const account = await openProviderAccount()
  const upstream = await openEcho()
  const people = createPeople(site)
  const root = await people.make(role.root)

  const ask = (person: Person, method: string, path: string, body?: unknown): Promise<Answer> =>
    site.ask({ method, path: `/api/${path}`, headers: withSession(person), ...(body === undefined ? {} : { body }) })
  const done = async (person: Person, method: string, path: string, body?: unknown) => {
    const answer = await ask(person, method, path, body)
    if (answer.json.success !== true) throw new Error(`${method} ${path}: ${answer.text}`)
    return (answer.json.data ?? {}) as Readonly<Record<string, unknown>>
  }

  const channel = { type: 1, models: 'gpt-4o', group: 'default' }
  // Before all channels that other tests make, which lead nowhere.
  const first = { name: 'c', key: 'sk-c', base_url: upstream.url, priority: 1000 }
  await done(root, 'POST', 'channel/', { ...channel, ...first })
  const setting = JSON.stringify({ passthrough: { groups: ['default'], price: 0 } })
  const called = { ...channel, name: 'd', key: 'sk-d', priority: -1, base_url: account.url, setting }
  await done(root, 'POST', 'channel/', called)
  const { id: directId } = await site.database.query
    .selectFrom('channels')
    .select('id')
    .where('name', '=', 'd')
    .executeTakeFirstOrThrow()
  await done(root, 'PUT', 'option/', { key: 'OrganisationsEnabled', value: 'true' })

  const owner = await people.make(role.user)
  const at = `organisation/${(await done(owner, 'POST', 'organisation/', { name: 'Northwind' })).id}`
  const makeTeam = async (name: string) => Number((await done(owner, 'PUT', `${at}/team`, { team_id: 0, name })).id)
  const makeProject = async (name: string, team_id: number) =>
    Number((await done(owner, 'PUT', `${at}/project`, { project_id: 0, team_id, name })).id)
  const [teamOne, teamTwo] = [await makeTeam('Platform'), await makeTeam('Research')]
  const [one, two] = [await makeProject('one', teamOne), await makeProject('two', teamTwo)]
  /** A new person with a role in the organisation, or in a team. */
  const join = async (memberRole: string, team_id = 0): Promise<Person> => {
    const person = await people.make(role.user)
    const { secret } = await done(owner, 'POST', `${at}/invitations`, { team_id, role: memberRole })
    await done(person, 'POST', 'organisation/invitation/accept', { secret })
    return person
  }
  const [ann, bob] = [await join('member'), await join('member')]
  await done(owner, 'POST', `${at}/transfer`, { direction: 'in', amount: 500_000, transfer_id: 'first-transfer' })

  /** A call of the relay with a key. */
  const call = (key: string, what: Ask): Promise<Answer> =>
    site.ask({ ...what, headers: { authorization: `Bearer sk-${key}` } })
  /** Beginning of direct calls. */
  const direct = `/p/${directId}`
  return {
    site,
    account,
    sent: upstream.sent,
    people: { root, owner, ann, bob },
    at,
    teams: { one: teamOne, two: teamTwo },
    projects: { one, two },
    direct,
    ask,
    done,
    join,
    /** A person without an organisation. */
    stranger: (): Promise<Person> => people.make(role.user),
    call,
    /** The secret of a key that somebody makes for a person, or for a machine (0). */
    makeKey: async (by: Person, name: string, project_id: number, member_id: number): Promise<string> =>
      String((await done(by, 'POST', `${at}/keys`, { name, unlimited_quota: true, project_id, member_id })).key),
    /** One thing of every kind, made with a key and recognisable by `name`. */
    plant: (name: string, key: string): Promise<Made> => plantMade(site, name, key, direct, (what) => call(key, what)),
    close: async () => {
      await site.close()
      await account.close()
      upstream.close()
    },
  }
}

export type Makers = Awaited<ReturnType<typeof openMakers>>
