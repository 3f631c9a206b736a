import { type Endpoint, isChange, role } from '@tollgate/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callOf, fieldsOf, nameOf, withSession } from '../../test/rights/calls.ts'
import { needsOutside } from '../../test/rights/kinds.ts'
import { createPeople, type People } from '../../test/rights/people.ts'
import { type Answer, openRightsSite, type RightsSite } from '../../test/rights/site.ts'
import { describeEachAddress } from '../../test/support/db/databases.ts'

const nasty = [
  '-1',
  '0',
  '9007199254740991',
  '99999999999999999999',
  '1e309',
  'NaN',
  '%',
  '_!\\',
  "' or 1=1 --",
  '\u0000',
  '\ud800',
  '好🚪',
  '[]',
  'x'.repeat(5000),
]

/** Thousands of calls; a busy machine takes its time. */
const patienceMs = 600_000

/** The longest list in an answer, however deep. */
const longestList = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0
  const inside = Math.max(0, ...Object.values(value).map(longestList))
  return Array.isArray(value) ? Math.max(value.length, inside) : inside
}

const failed = ({ status, json }: Answer): boolean => status >= 500 || json.code === 'internal_error'

describeEachAddress('whatever is sent', (place, engine) => {
  let site: RightsSite
  let people: People
  beforeAll(async () => {
    const { url } = await place()
    site = await openRightsSite(engine === 'sqlite' ? {} : { SQL_DSN: url })
    people = createPeople(site)
  })
  afterAll(() => site?.close())

  const endpoints = (wanted: (endpoint: Endpoint) => boolean): readonly Endpoint[] =>
    site.endpoints().filter((endpoint) => !needsOutside.has(nameOf(endpoint)) && wanted(endpoint))

  /** Values that a schema refuses reach no engine: they are sent once, beside SQLite. */
  const reachesEngine = (schema: Endpoint['query'], value: unknown): boolean =>
    engine === 'sqlite' || schema === undefined || schema.safeParse(value).success

  const askerOf = async () => {
    const root = await people.make(role.root)
    const target = await people.make(role.user)
    return { root, about: { target, owner: root, publicSession: 'x' }, headers: withSession(root) }
  }

  it(
    'in a query is answered or refused, never an error of ours',
    async () => {
      const { about, headers } = await askerOf()
      const broken: string[] = []
      const urls = endpoints((entry) => !isChange(entry)).flatMap((endpoint) => {
        const { path, method } = callOf(endpoint, about)
        const sample = Object.fromEntries(new URLSearchParams(path.split('?')[1]))
        return fieldsOf(endpoint.query).map((field) => ({
          method,
          start: `${path}${path.includes('?') ? '&' : '?'}${field}=`,
          values: nasty
            .map((value) => value.toWellFormed())
            // The first of two values of a name counts.
            .filter((value) => reachesEngine(endpoint.query, { [field]: value, ...sample })),
        }))
      })
      for (const { method, start, values } of urls) {
        await Promise.all(
          values.map(async (value) => {
            const path = start + encodeURIComponent(value)
            if (failed(await site.ask({ method, path, headers }))) broken.push(`${method} ${path.slice(0, 120)}`)
          }),
        )
      }
      expect(broken).toEqual([])
    },
    patienceMs,
  )

  it(
    'in a path is answered or refused, never an error of ours',
    async () => {
      const { headers } = await askerOf()
      const broken: string[] = []
      for (const endpoint of endpoints(({ path }) => path.includes(':'))) {
        for (const value of nasty.slice(0, 12)) {
          const path = endpoint.path.replace(/:\w+/, encodeURIComponent(value.toWellFormed()))
          const ask = { method: endpoint.method, path, body: {}, headers }
          const { body: _, ...bodyless } = ask
          if (failed(await site.ask(endpoint.method === 'GET' ? bodyless : ask)))
            broken.push(`${endpoint.method} ${path}`)
        }
      }
      expect(broken).toEqual([])
    },
    patienceMs,
  )

  it(
    'in a body is taken or refused, never an error of ours',
    async () => {
      const broken: string[] = []
      let asker: Awaited<ReturnType<typeof askerOf>> | undefined
      for (const endpoint of endpoints(({ body }) => body !== undefined)) {
        for (const field of fieldsOf(endpoint.body)) {
          for (const value of ['\u0000', 'x'.repeat(5000), 2 ** 53 - 1, -1, null, ['x'], { x: 1 }]) {
            // A refused caller has changed nothing, and can try the next value.
            asker ??= await askerOf()
            const { about, headers } = asker
            const ask = callOf(endpoint, about)
            const body = { ...(ask.body as object), [field]: value }
            if (!reachesEngine(endpoint.body, body)) continue
            const answer = await site.ask({ ...ask, body, headers })
            if (failed(answer)) broken.push(`${nameOf(endpoint)} ${field}=${JSON.stringify(value).slice(0, 20)}`)
            if (answer.json.success !== false) asker = undefined
          }
        }
      }
      expect(broken).toEqual([])
    },
    patienceMs,
  )

  it('as a page size, no list is longer than a hundred', async () => {
    const { root, about, headers } = await askerOf()
    for (let count = 0; count < 120; count += 1) {
      const { id: _, ...row } = await site.database.query
        .selectFrom('tokens')
        .selectAll()
        .where('id', '=', root.tokenId)
        .executeTakeFirstOrThrow()
      const trace = { actor_id: 1, actor_name: 'root', action: 'x.y', object: 'x', before: '{}', after: '{}', ip: '' }
      await site.database.query
        .insertInto('tokens')
        .values({ ...row, key_hash: `hash ${count}` })
        .execute()
      await site.database.query
        .insertInto('audit')
        .values({ ...trace, created_at: 1, object_id: '1' })
        .execute()
    }
    const long: string[] = []
    for (const endpoint of endpoints(({ method }) => method === 'GET')) {
      const size = fieldsOf(endpoint.query).find((name) => name === 'page_size' || name === 'size')
      if (size === undefined) continue
      const { path } = callOf(endpoint, about)
      const url = `${path}${path.includes('?') ? '&' : '?'}${size}=100000`
      const { json } = await site.ask({ method: 'GET', path: url, headers })
      expect([nameOf(endpoint), json.success]).toEqual([nameOf(endpoint), true])
      if (longestList(json.data) > 100) long.push(nameOf(endpoint))
    }
    expect(long).toEqual([])
    const audit = await site.ask({ method: 'GET', path: '/api/audit?page_size=100000', headers })
    expect(longestList(audit.json.data)).toBe(100)
  })

  it.each([
    '/api/user/search?keyword=',
    '/api/channel/search?keyword=',
    '/api/channel/browse?keyword=',
    '/api/token/search?keyword=',
    '/api/token/browse?keyword=',
    '/api/audit?keyword=',
  ])('to %s means itself: wildcards find only themselves', async (path) => {
    const { headers } = await askerOf()
    for (const wildcard of ['%', '_', '%%', '!']) {
      const { json } = await site.ask({ method: 'GET', path: `${path}${encodeURIComponent(wildcard)}`, headers })
      const { data } = json as { data: unknown[] | { items: unknown[] } }
      const rows = JSON.stringify(Array.isArray(data) ? data : data.items)
      expect([wildcard, rows === '[]' || rows.includes(wildcard)]).toEqual([wildcard, true])
    }
  })
})
