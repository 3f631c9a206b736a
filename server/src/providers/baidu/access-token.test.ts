import { expect, it, vi } from 'vitest'
import type { SigningTools } from '../provider.ts'
import { accessToken } from './access-token.ts'

const hour = 3_600_000
const base = 'https://aip.baidubce.com'

const tools = (seconds = 30 * 24 * 3600) => {
  let number = 0
  const post = vi.fn<SigningTools['post']>(async () => {
    number += 1
    return { status: 200, json: { access_token: `token-${number}`, expires_in: seconds } }
  })
  const its = { time: 1_000_000, post, now: () => its.time }
  return its
}

it('fetches a token once for all who wait, and keeps it for its key', async () => {
  const its = tools()
  const first = await Promise.all([1, 2, 3].map(() => accessToken(base, 'a|1', its)))
  expect(first).toEqual(['token-1', 'token-1', 'token-1'])
  expect(await accessToken(base, 'a|1', its)).toBe('token-1')
  expect(its.post).toHaveBeenCalledTimes(1)
  expect(await accessToken(base, 'a|2', its)).toBe('token-2')
  expect(its.post.mock.calls[0]?.[0].url).toBe(
    `${base}/oauth/2.0/token?grant_type=client_credentials&client_id=a&client_secret=1`,
  )
})

it('fetches a new one behind the old one’s back in its last hour, and waits for it when it is over', async () => {
  const its = tools(2 * 3600)
  expect(await accessToken(base, 'b|1', its)).toBe('token-1')
  its.time += hour + 1
  expect(await accessToken(base, 'b|1', its)).toBe('token-1')
  await vi.waitFor(async () => expect(await accessToken(base, 'b|1', its)).toBe('token-2'))
  expect(its.post).toHaveBeenCalledTimes(2)
  its.time += 3 * hour
  expect(await accessToken(base, 'b|1', its)).toBe('token-3')
})

it('forgets a failure, and says it without the secret', async () => {
  const its = tools()
  its.post.mockResolvedValueOnce({
    status: 401,
    json: { error: 'invalid_client', error_description: 'unknown client id' },
  })
  await expect(accessToken(base, 'c|topsecret', its)).rejects.toThrow('status 401 unknown client id')
  expect(await accessToken(base, 'c|topsecret', its)).toBe('token-1')
  await expect(accessToken(base, 'only-one-part', its)).rejects.toThrow('APIKey|SecretKey')
})
