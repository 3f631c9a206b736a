import { expect, it, vi } from 'vitest'
import type { SigningTools } from '../provider.ts'
import { accessToken } from './access-token.ts'

const hour = 3_600_000
const base = 'https://aip.baidubce.com'

const openServer = (seconds = 30 * 24 * 3600) => {
  let number = 0
  const post = vi.fn<SigningTools['post']>(async () => {
    number += 1
    return { status: 200, json: { access_token: `token-${number}`, expires_in: seconds } }
  })
  const server = { time: 1_000_000, post, now: () => server.time }
  return server
}

it('fetches a token once for concurrent callers and caches it per key', async () => {
  const server = openServer()
  const first = await Promise.all([1, 2, 3].map(() => accessToken(base, 'a|1', server)))
  expect(first).toEqual(['token-1', 'token-1', 'token-1'])
  expect(await accessToken(base, 'a|1', server)).toBe('token-1')
  expect(server.post).toHaveBeenCalledTimes(1)
  expect(await accessToken(base, 'a|2', server)).toBe('token-2')
  expect(server.post.mock.calls[0]?.[0].url).toBe(
    `${base}/oauth/2.0/token?grant_type=client_credentials&client_id=a&client_secret=1`,
  )
})

it('refreshes in the background in the last hour, and waits for a new token after expiry', async () => {
  const server = openServer(2 * 3600)
  expect(await accessToken(base, 'b|1', server)).toBe('token-1')
  server.time += hour + 1
  expect(await accessToken(base, 'b|1', server)).toBe('token-1')
  await vi.waitFor(async () => expect(await accessToken(base, 'b|1', server)).toBe('token-2'))
  expect(server.post).toHaveBeenCalledTimes(2)
  server.time += 3 * hour
  expect(await accessToken(base, 'b|1', server)).toBe('token-3')
})

it('does not cache a failure, and reports it without the secret', async () => {
  const server = openServer()
  server.post.mockResolvedValueOnce({
    status: 401,
    json: { error: 'invalid_client', error_description: 'unknown client id' },
  })
  await expect(accessToken(base, 'c|topsecret', server)).rejects.toThrow('status 401 unknown client id')
  expect(await accessToken(base, 'c|topsecret', server)).toBe('token-1')
  await expect(accessToken(base, 'only-one-part', server)).rejects.toThrow('APIKey|SecretKey')
})
