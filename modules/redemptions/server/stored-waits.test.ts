import { role } from '@tollgate/contract'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { withSession } from '#server-test/rights/calls.ts'
import { createPeople } from '#server-test/rights/people.ts'
import { openRightsSite, type RightsSite } from '#server-test/rights/site.ts'

let site: RightsSite
beforeAll(async () => {
  site = await openRightsSite()
})
afterAll(() => site?.close())

it('a whole site writes the waits of redemption codes to its database, apart from those of logins', async () => {
  const person = await createPeople(site).make(role.user)
  const wrong = { username: 'nobody', password: 'a wrong password' }
  await site.ask({ method: 'POST', path: '/api/user/login', body: wrong })
  await site.ask({
    method: 'POST',
    path: '/api/user/topup',
    headers: withSession(person),
    body: { key: 'x'.repeat(32) },
  })
  await vi.waitFor(
    async () => {
      const rows = await site.database.query.selectFrom('guess_waits').select(['guessed', 'name']).execute()
      const failed = rows.filter(({ name }) => name.includes(' failed:'))
      expect(new Set(failed.map(({ guessed }) => guessed))).toEqual(new Set(['login', 'redeem']))
    },
    { timeout: 30_000, interval: 200 },
  )
})
