import { afterAll, beforeAll, expect, it } from 'vitest'
import { addCustomer, type Person, signIn } from '../support/operator.ts'
import { type Site, startSite } from '../support/site.ts'

/** Guesses of some people do not close their address to the others. */

let site: Site
let operator: Person

beforeAll(async () => {
  site = await startSite()
  operator = await signIn(site.url)
})
afterAll(() => site?.remove())

const guess = (guesser: Person, code: string) => guesser.ask('POST', '/api/user/topup', { key: code })

it('a neighbour redeems a code after others guessed as often as they may', async () => {
  const [code] = await operator.must<string[]>('POST', '/api/redemption/', { name: 'gift', quota: 500, count: 1 })
  const guessers = [
    await addCustomer(site.url, operator, 'guesser1', 1000),
    await addCustomer(site.url, operator, 'guesser2', 1000),
    await addCustomer(site.url, operator, 'guesser3', 1000),
  ]
  const neighbour = await addCustomer(site.url, operator, 'neighbour', 1000)
  for (const guesser of guessers) {
    for (let attempt = 0; attempt < 6; attempt += 1) {
      expect((await guess(guesser, `wrong-${guesser.id}-${attempt}`)).success).toBe(false)
    }
  }
  expect(await guess(neighbour, code ?? '')).toMatchObject({ success: true, data: 500 })
})

it('a signed-in user changes their password while others guess passwords at the same address', async () => {
  const owner = await addCustomer(site.url, operator, 'owner', 1000)
  const wrong = async (username: string): Promise<void> => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ username, password: 'wrong' })
    await fetch(`${site.url}/api/user/login`, { method: 'POST', headers, body })
  }
  for (let attempt = 0; attempt < 12; attempt += 1) await wrong(`nobody-${attempt}`)
  const change = { original_password: 'battery-staple', password: 'another-battery-staple' }
  expect(await owner.ask('PUT', '/api/user/self', change)).toMatchObject({ success: true })
})
