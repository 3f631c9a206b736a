import { role } from '@tollgate/contract'
import { afterAll, expect, it } from 'vitest'
import { withSession } from '#server-test/rights/calls.ts'
import { createPeople, type Person } from '#server-test/rights/people.ts'
import { openRightsSite } from '#server-test/rights/site.ts'

const site = await openRightsSite()
const people = createPeople(site)
afterAll(() => site.close())

const alert = { name: 'all spend', metric: 'spend', comparison: 'above', threshold: 1, window_hours: 24 }

it('is about own calls alone for an administrator whose permissions close the log', async () => {
  const [root, person] = [await people.make(role.root), await people.make(role.admin)]
  const ask = (who: Person, method: string, path: string, body: object) =>
    site.ask({ method, path, body, headers: withSession(who) })
  const permissions = { set: 'custom', areas: { audit: 'read' } }
  expect((await ask(root, 'PUT', `/api/user/${person.id}/permissions`, { permissions })).json.success).toBe(true)
  const everybody = { ...alert, mine: false, filters: [], enabled: true }
  const ofAll = await ask(root, 'POST', '/api/explore/alerts', everybody)
  const ofOwn = await ask(person, 'POST', '/api/explore/alerts', everybody)
  expect([ofAll.json.data, ofOwn.json.data]).toMatchObject([{ mine: false }, { mine: true }])
})
