import { afterEach, beforeEach, expect, it, vi } from 'vitest'

const alice = { id: 7, username: 'alice', display_name: 'Alice', role: 1, status: 1, group: 'default' }

beforeEach(() => {
  vi.resetModules()
  localStorage.clear()
})
afterEach(() => vi.unstubAllGlobals())

/** A server whose answer the test sends. */
const slowServer = () => {
  const answer = Promise.withResolvers<Response>()
  vi.stubGlobal('fetch', () => answer.promise)
  return (data: unknown): void => answer.resolve(new Response(JSON.stringify({ success: true, message: '', data })))
}

const load = async () => {
  const [{ verifySession }, session] = await Promise.all([import('./verify-session.ts'), import('./session.ts')])
  return { verifySession, ...session }
}

it('removes a user whose session has ended', async () => {
  const say = slowServer()
  const { verifySession, storeUser, storedUser } = await load()
  storeUser(alice)
  const verified = verifySession()
  say(null)
  expect(await verified).toBe(false)
  expect(storedUser()).toBeUndefined()
})

it('keeps a user who signed in before the answer came', async () => {
  const say = slowServer()
  const { verifySession, storeUser, storedUser } = await load()
  const verified = verifySession()
  storeUser(alice)
  say(null)
  expect(await verified).toBe(true)
  expect(storedUser()).toEqual(alice)
})
