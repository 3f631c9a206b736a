import { afterEach, beforeEach, expect, it } from 'vitest'
import { openTestGateway, type TestGateway, testToken } from '../../../test/support/gateway/listener.ts'
import type { TokenRecord } from '../ports.ts'

let gateway: TestGateway
let lookUps: string[]
/** Keys in the database that are not in memory. */
let stored: Map<string, TokenRecord>
let isDatabaseAway: boolean

beforeEach(async () => {
  lookUps = []
  stored = new Map()
  isDatabaseAway = false
  const byKey = (key: string, mayLookUp = true): TokenRecord | undefined | Promise<TokenRecord | undefined> => {
    if (key === 'good') return testToken
    if (!mayLookUp) return undefined
    if (isDatabaseAway) return Promise.reject(new Error('connect ECONNREFUSED'))
    lookUps.push(key)
    return Promise.resolve(stored.get(key))
  }
  gateway = await openTestGateway({ gateway: { callers: { byKey } } })
})
afterEach(() => gateway.close())

const statusFor = async (key: string): Promise<number> =>
  (await fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer sk-${key}` } })).status

it('looks up a bounded number of unknown keys for one address, while known ones pass', async () => {
  const statuses = []
  for (let index = 0; index < 100; index += 1) statuses.push(await statusFor(`guess${index}`))
  expect(lookUps).toHaveLength(60)
  expect(statuses.slice(0, 60)).toEqual(Array(60).fill(401))
  expect(statuses.slice(60)).toEqual(Array(40).fill(429))
  expect(await statusFor('good')).toBe(200)
})

it('does not count keys that exist', async () => {
  for (let index = 0; index < 100; index += 1) stored.set(`real${index}`, testToken)
  for (const key of stored.keys()) expect(await statusFor(key)).toBe(200)
})

it('answers 503 where keys cannot be looked up, and counts no such key as a guess', async () => {
  isDatabaseAway = true
  for (let index = 0; index < 70; index += 1) expect(await statusFor(`real${index}`)).toBe(503)
  isDatabaseAway = false
  stored.set('real1', testToken)
  expect(await statusFor('real1')).toBe(200)
})
