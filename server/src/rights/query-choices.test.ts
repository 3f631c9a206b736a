import { role } from '@tollgate/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callOf, fieldsOf, withSession } from '../../test/rights/calls.ts'
import { createPeople } from '../../test/rights/people.ts'
import { openRightsSite, type RightsSite } from '../../test/rights/site.ts'

let site: RightsSite

beforeAll(async () => {
  site = await openRightsSite()
})
afterAll(() => site?.close())

it('a word in a query that an endpoint does not know is refused as a bad request, not answered with another question’s figures', async () => {
  const root = await createPeople(site).make(role.root)
  const tried: string[] = []
  for (const endpoint of site.endpoints()) {
    const { method, query, unusableBodyStatus } = endpoint
    if (method !== 'GET' || query === undefined || unusableBodyStatus !== 400) continue
    const { path } = callOf(endpoint, { target: root, owner: root, publicSession: 'none' })
    const [plain, asked = ''] = path.split('?')
    for (const field of fieldsOf(query)) {
      const ask = async (value: string) => {
        const search = new URLSearchParams(asked)
        search.set(field, value)
        return site.ask({ method, path: `${plain}?${search}`, headers: withSession(root) })
      }
      const issues = query.safeParse({ [field]: 'nonsense' }).error?.issues ?? []
      if (!issues.some(({ path: [at] }) => at === field)) continue
      const { status, json } = await ask('nonsense')
      expect([endpoint.path, field, status, json.success, json.code]).toEqual([
        ...[endpoint.path, field, 400, false, 'invalid_parameter'],
      ])
      tried.push(`${endpoint.path} ${field}`)
    }
  }
  expect(tried).toEqual(
    expect.arrayContaining([
      ...['/api/explore by', '/api/explore/self second', '/api/dashboard granularity', '/api/dashboard/self metric'],
      ...[
        '/api/reconciliation/imports/:id/calls list',
        '/api/user/:id/ledger account',
        '/api/user/self/ledger account',
      ],
    ]),
  )
})
