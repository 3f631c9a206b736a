import { isChange } from '@tollgate/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { callOf, fieldsOf, nameOf, withSession } from '../../test/rights/calls.ts'
import { type Made, madeText, makersIn } from '../../test/rights/organisations/made.ts'
import { type Makers, openMakers } from '../../test/rights/organisations/makers.ts'
import { changesOf, listsOf, readingsOf, turnsFrom } from '../../test/rights/organisations/readings.ts'
import { plantRecords, type Records } from '../../test/rights/organisations/records.ts'
import { formOf, kindsOfRoutes, probes } from '../../test/rights/organisations/routes.ts'
import { socketTurn } from '../../test/rights/organisations/socket-turn.ts'
import type { Person } from '../../test/rights/people.ts'
import { dialects } from '../dialects/index.ts'
import { createRoutes } from '../gateway/routes.ts'

/**
 * Every way to read what somebody made, by its id: the routes of the relay, turns that go on over HTTP and over WebSockets, and every
 * endpoint of the console with the ids of tasks, calls, sessions and captures in its path and in each field of its query.
 */

const { routeOf } = createRoutes(dialects)

it('the readings and changes try every call of the relay that names something made before', () => {
  const nothing = { drawing: 'x', song: 'x', response: 'x', completion: 'x', conversation: 'x', item: 'x', file: 'x' }
  const things: Made = { ...nothing, content: 'cachedContents/x', batch: 'x', batchOutput: 'x' }
  const asks = [
    ...readingsOf('/p/1').map((reading) => reading(things)),
    ...changesOf('/p/1').map((change) => change(things)),
    ...listsOf('/p/1', [things]),
  ]
  const routes = asks.map(({ method, path }) => routeOf(method, path.split('?')[0] ?? ''))
  const tried = new Set(routes.map(formOf))
  const known = probes
    .map(({ method, path }) => routeOf(method, path))
    .filter(({ kind }) => kindsOfRoutes[kind] === 'reads' && kind !== 'passthrough')
    .map(formOf)
  // A conversation, a response or a content that is made anew names nothing.
  const makes = new Set(['conversation POST   ', 'content POST ', 'drawing submit', 'song submit'])
  expect([...new Set(known)].filter((form) => !tried.has(form) && !makes.has(form))).toEqual([])
  const kinds = new Set(routes.map(({ kind }) => kind))
  const reading = Object.entries(kindsOfRoutes).filter(([, what]) => what === 'reads')
  expect(reading.map(([kind]) => kind).filter((kind) => !kinds.has(kind as keyof typeof kindsOfRoutes))).toEqual([])
})

let makers: Makers
let folk: Readonly<Record<string, Person>> = {}
const keys = new Map<string, string>()
const made = new Map<string, Made>()
const records = new Map<string, Records>()

/** Keys whose objects a person reads in the console of the organisation. */
const readsInConsole: Readonly<Record<string, readonly string[]>> = {
  owner: ['ann1', 'ann2', 'bob1', 'machine1'],
  admin: ['ann1', 'ann2', 'bob1', 'machine1'],
  billing: ['ann1', 'ann2', 'bob1', 'machine1'],
  'admin of two': ['ann2'],
  'member of two': [],
  ann: ['ann1', 'ann2'],
  bob: ['bob1'],
  viewer: [],
  stranger: [],
}

beforeAll(async () => {
  makers = await openMakers()
  const { owner, ann, bob } = makers.people
  folk = {
    owner,
    ann,
    bob,
    admin: await makers.join('admin'),
    billing: await makers.join('billing'),
    viewer: await makers.join('viewer'),
    'admin of two': await makers.join('admin', makers.teams.two),
    'member of two': await makers.join('member', makers.teams.two),
    stranger: await makers.stranger(),
  }
  const { one, two } = makers.projects
  keys.set('ann1', await makers.makeKey(ann, 'ann1', one, ann.id))
  keys.set('ann2', await makers.makeKey(ann, 'ann2', two, ann.id))
  keys.set('bob1', await makers.makeKey(bob, 'bob1', one, bob.id))
  keys.set('machine1', await makers.makeKey(owner, 'machine1', one, 0))
  for (const [name, key] of keys) {
    made.set(name, await makers.plant(name, key))
    records.set(name, await plantRecords(makers.site, name, key))
  }
})

afterAll(() => makers?.close())

const someone = (label: string): Person => folk[label] ?? expect.fail(label)
const all = <T>(map: ReadonlyMap<string, T>): [string, T][] => [...map]

describe('turns that go on from what others made', () => {
  /** Keys whose objects each key reads. */
  const readersOf: Readonly<Record<string, readonly string[]>> = {
    ann1: ['ann1', 'ann2'],
    ann2: ['ann1', 'ann2'],
    bob1: ['bob1'],
    machine1: ['ann1', 'bob1', 'machine1'],
  }

  it('are told nothing of it, over HTTP and over WebSockets, and their providers are not asked', async () => {
    for (const [reader, key] of keys)
      for (const [maker, things] of all(made))
        for (const turn of turnsFrom) {
          const body = turn(things)
          makers.sent.length = 0
          const overHttp = (await makers.call(key, { method: 'POST', path: '/v1/responses', body })).text
          const overSocket = await socketTurn(makers.site.url, key, body)
          const expected = readersOf[reader]?.includes(maker) ? [maker] : []
          const what = [reader, maker, ...Object.keys(body)].join(' ')
          expect(`${what} ${overHttp}`, what).toSatisfy((text: string) => makersIn(text).join() === expected.join())
          expect(`${what} ${overSocket}`, what).toSatisfy((text: string) => makersIn(text).join() === expected.join())
          if (expected.length === 0) expect([what, makersIn(makers.sent.join('\n'))]).toEqual([what, []])
          if (expected.length === 0 && 'previous_response_id' in body)
            expect([what, overSocket.includes('"error"'), makers.sent]).toEqual([what, true, []])
        }
  })
})

describe('the console', () => {
  /** Paths and queries of an endpoint that name things of a maker. */
  const asksOf = (endpoint: ReturnType<Makers['site']['endpoints']>[number], reader: Person, about: Records) => {
    const { path } = callOf(endpoint, { target: reader, owner: reader, publicSession: 'none' })
    const [plain = '', asked = ''] = path.split('?')
    const now = String(Math.floor(Date.now() / 1000) + 60)
    const times = new URLSearchParams(asked)
    for (const end of ['end_timestamp', 'end']) if (times.has(end)) times.set(end, now)
    const isOfOrganisation = endpoint.path.startsWith('/api/organisation/:id')
    const paths = isOfOrganisation
      ? [endpoint.path.replace(':id', makers.at.split('/')[1] ?? '')]
      : endpoint.path.includes(':')
        ? about.ids.map((id) => endpoint.path.replace(/:\w+/g, String(id)))
        : [plain]
    const queries = [times.toString()]
    for (const field of fieldsOf(endpoint.query))
      for (const value of about.fields[field] ?? []) {
        const query = new URLSearchParams(times)
        query.set(field, value)
        queries.push(query.toString())
      }
    return paths.flatMap((one) => queries.map((query) => (query === '' ? one : `${one}?${query}`)))
  }

  /** Calls that end the session, or give the account another access token. */
  const harmful: ReadonlySet<string> = new Set(['/api/user/logout', '/api/user/token'])

  const found = async (label: string): Promise<string[]> => {
    const reader = someone(label)
    const seen = new Set<string>()
    for (const endpoint of makers.site.endpoints()) {
      if (isChange(endpoint) || harmful.has(endpoint.path)) continue
      const isOfStaff = endpoint.access === 'admin' || endpoint.access === 'root'
      const abouts = all(records).filter((_, index) => !isOfStaff || index === 0)
      const paths = new Set(abouts.flatMap(([, about]) => asksOf(endpoint, reader, about)))
      for (const path of paths) {
        const answer = await makers.site.ask({ method: endpoint.method, path, headers: withSession(reader) })
        const type = answer.headers.get('content-type') ?? ''
        // Nothing is pushed to the console: what is live is asked for again.
        expect([nameOf(endpoint), type]).toEqual([nameOf(endpoint), expect.not.stringContaining('event-stream')])
        for (const name of makersIn(answer.text)) seen.add(name)
      }
    }
    return [...seen].toSorted()
  }

  it.each(Object.keys(readsInConsole))(
    'shows a person as %s what this role reads, whatever is named',
    async (label) => {
      expect([label, await found(label)]).toEqual([label, readsInConsole[label]])
    },
    120_000,
  )

  it('opens no WebSocket at any of its calls', async () => {
    const headers = { authorization: `Bearer ${someone('ann').accessToken}`, 'new-api-user': String(someone('ann').id) }
    for (const endpoint of makers.site.endpoints().filter((one) => !isChange(one) && !harmful.has(one.path))) {
      const socket = new WebSocket(makers.site.url.replace('http', 'ws') + endpoint.path, { headers })
      const opened = await new Promise<boolean>((resolve) => {
        socket.on('open', () => resolve(true))
        socket.on('error', () => resolve(false))
      })
      expect([nameOf(endpoint), opened]).toEqual([nameOf(endpoint), false])
    }
  })

  it('shows what modules store of calls to administrators alone, so that the sweep looks where something is', async () => {
    const { root } = makers.people
    for (const [name, { ofStaff }] of all(records).flatMap(([name, { ofStaff }]) =>
      ofStaff.map((calls) => [name, { ofStaff: calls }] as const),
    )) {
      const [, shown = ''] = ofStaff[0] ?? []
      const answer = await makers.ask(root, 'GET', shown)
      expect(makersIn(answer.text)).toEqual([name])
      for (const label of Object.keys(readsInConsole))
        for (const [method, path] of ofStaff) {
          const refused = await makers.ask(someone(label), method, path, method === 'POST' ? {} : undefined)
          expect([label, path, refused.json.code, refused.text.includes(madeText(name))]).toEqual([
            ...[label, path, 'permission_denied', false],
          ])
        }
    }
  })
})
