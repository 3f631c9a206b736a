import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openRightsSite, type RightsSite } from '../../../../test/rights/site.ts'

let site: RightsSite
beforeAll(async () => {
  site = await openRightsSite()
})
afterAll(() => site?.close())

it('a whole site writes the waits of logins to its database', async () => {
  const wrong = { username: 'nobody', password: 'a wrong password' }
  await site.ask({ method: 'POST', path: '/api/user/login', body: wrong })
  await vi.waitFor(
    async () => {
      const rows = await site.database.query.selectFrom('guess_waits').select(['guessed', 'name']).execute()
      const failed = rows.filter(({ name }) => name.includes(' failed:'))
      expect(new Set(failed.map(({ guessed }) => guessed))).toEqual(new Set(['login']))
    },
    { timeout: 30_000, interval: 200 },
  )
})
