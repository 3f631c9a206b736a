import type { Endpoint } from '@tollgate/contract'
import { isChange, role } from '@tollgate/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callOf, fieldsOf, nameOf, withSession } from '../../test/rights/calls.ts'
import { aimed, aimless, insidersOf, type Line, lines, seenByOwner } from '../../test/rights/organisations/lines.ts'
import {
  fencedIn,
  type PlantedOrganisation,
  pictureOf,
  places,
  plantOrganisation,
} from '../../test/rights/organisations/plant.ts'
import { createPeople, type People, type Person } from '../../test/rights/people.ts'
import { type Answer, type Ask, openRightsSite, type RightsSite } from '../../test/rights/site.ts'

/**
 * Every endpoint × things of another organisation, by id, in bodies and by every field of queries (filters, search, facets, exports),
 * for each place in an organisation and for somebody in none: it answers that there is no such thing, or without it.
 */

let site: RightsSite
let people: People
let mine: PlantedOrganisation
let theirs: PlantedOrganisation
const callers = new Map<string, Person>()

beforeAll(async () => {
  site = await openRightsSite()
  people = createPeople(site)
  const root = await people.make(role.root)
  const body = { key: 'OrganisationsEnabled', value: 'true' }
  await site.ask({ method: 'PUT', path: '/api/option/', headers: withSession(root), body })
  mine = await plantOrganisation(site, people, root, 'mine')
  theirs = await plantOrganisation(site, people, root, 'theirs')
  for (const place of places) callers.set(place, mine.people[place])
  callers.set('stranger', await people.make(role.user))
})
afterAll(() => site?.close())

const ofUsers = (): Endpoint[] => site.endpoints().filter(({ access }) => access !== 'admin' && access !== 'root')

const lineOf = (endpoint: Endpoint): Line => lines.get(nameOf(endpoint)) ?? expect.fail(nameOf(endpoint))

/** Calls of an endpoint, one for each of the other organisation's things that it could find. */
const asksOf = (endpoint: Endpoint, caller: Person, from: PlantedOrganisation = theirs): Ask[] => {
  const line = lineOf(endpoint)
  const base = callOf(endpoint, { target: caller, owner: caller, publicSession: 'none' })
  const [plain = '', asked = ''] = base.path.split('?')
  const times = new URLSearchParams(asked)
  // Up to now: within a single second nothing would be found.
  if (times.has('end_timestamp')) times.set('end_timestamp', String(Math.floor(Date.now() / 1000)))
  const search = times.toString()
  const provider = String(from.rows.get('identity_providers') ?? 0)
  const paths = line.ids
    ? line.ids(from).map((id) => endpoint.path.replace(':id', String(id)).replace(':provider', provider))
    : [plain]
  const bodies = line.bodies ? line.bodies(from) : [base.body]
  const queries = [search]
  for (const field of fieldsOf(endpoint.query)) {
    for (const value of aimed[field]?.(from) ?? []) {
      const query = new URLSearchParams(search)
      query.set(field, value)
      // Another endpoint's words are refused, which tells nothing.
      if (endpoint.query?.safeParse(Object.fromEntries(query)).success !== true) continue
      queries.push(query.toString())
    }
  }
  return paths.flatMap((path) =>
    queries.flatMap((query) =>
      bodies.map((body) => ({
        method: endpoint.method,
        path: query === '' ? path : `${path}?${query}`,
        ...(body === undefined ? {} : { body }),
      })),
    ),
  )
}

const ask = (endpoint: Endpoint, caller: Person, call: Ask): Promise<Answer> =>
  site.ask({
    ...call,
    headers: endpoint.access === 'token' ? { authorization: `Bearer sk-${caller.apiKey}` } : withSession(caller),
  })

/** The kinds of their values in an answer that the call itself did not name. */
const foundBy = ({ path, body }: Ask, { text }: Answer): string[] => {
  const named = fencedIn(`${path} ${JSON.stringify(body)}`, 'theirs')
  return fencedIn(text, 'theirs').filter((kind) => !named.includes(kind))
}

/** True if the answer treats the thing as absent, so that its existence stays hidden. Batches answer how many they found. */
const isAbsent = ({ json, status }: Answer): boolean => {
  if (json.success === true) return ['0', '[]', '{}'].includes(JSON.stringify(json.data))
  return status === 404 || /not_found|key_not_own|invalid_id|none_selected|nothing_/.test(json.code ?? '')
}

describe('every endpoint that users may call', () => {
  it('has a line that says what it does with things of others, and aims by every field of its query', () => {
    const names = ofUsers().map(nameOf)
    expect(names.filter((name) => !lines.has(name))).toEqual([])
    expect([...lines.keys()].filter((name) => !names.includes(name))).toEqual([])
    const fields = ofUsers().flatMap(({ query }) => [...fieldsOf(query)])
    expect([...new Set(fields)].filter((field) => !(field in aimed) && !aimless.has(field))).toEqual([])
  })

  it('finds nothing of another organisation, for any place in an own one and for a stranger', async () => {
    const before = await pictureOf(site, theirs)
    for (const [place, caller] of callers) {
      for (const endpoint of ofUsers()) {
        // These end the caller's account or session, and take nothing but a password.
        if (/^(DELETE \/api\/user\/self|GET \/api\/user\/logout)/.test(nameOf(endpoint))) continue
        const line = lineOf(endpoint)
        // Calls that know nothing of organisations answer in all places alike.
        if (line.outcome === 'unaware' && place !== 'owner' && place !== 'stranger') continue
        for (const call of asksOf(endpoint, caller)) {
          const answer = await ask(endpoint, caller, call)
          const what = [place, call.method, call.path, JSON.stringify(call.body)].join(' ')
          expect(foundBy(call, answer), `${what}\n${answer.text}`).toEqual([])
          if (line.outcome === 'refused') expect(isAbsent(answer), `${what}\n${answer.text}`).toBe(true)
        }
        for (const body of line.underMine?.(theirs) ?? []) {
          const path = endpoint.path.replace(':id', String(mine.id))
          const answer = await ask(endpoint, caller, { method: endpoint.method, path, body })
          const what = [place, endpoint.method, path, JSON.stringify(body)].join(' ')
          expect(answer.json.code, what).toMatch(/not_found|organisation_role_denied/)
          expect(fencedIn(answer.text, 'theirs'), what).toEqual([])
        }
      }
    }
    expect(await pictureOf(site, theirs)).toBe(before)
  }, 600_000)

  it('finds them for the organisation itself: each place sees what is its own', async () => {
    for (const place of places) {
      const seen = new Set<string>()
      const caller = theirs.people[place]
      for (const endpoint of ofUsers()) {
        if (isChange(endpoint)) continue
        for (const call of asksOf(endpoint, caller)) {
          const answer = await ask(endpoint, caller, call)
          for (const kind of fencedIn(answer.text, 'theirs')) seen.add(kind)
        }
      }
      const foreign = [...seen].filter((kind) => insidersOf(kind)?.includes(place) !== true)
      expect([place, foreign]).toEqual([place, []])
      if (place === 'owner') expect(seenByOwner.filter((kind) => !seen.has(kind))).toEqual([])
    }
  })
})

it('endpoints of administrators let no place of an organisation in', async () => {
  for (const endpoint of site.endpoints().filter(({ access }) => access === 'admin' || access === 'root')) {
    for (const [place, caller] of callers) {
      const about = { target: theirs.people.member, owner: theirs.people.owner, publicSession: 'none' }
      const answer = await ask(endpoint, caller, callOf(endpoint, about))
      expect([place, nameOf(endpoint), answer.json.code]).toEqual([place, nameOf(endpoint), 'permission_denied'])
    }
  }
})
