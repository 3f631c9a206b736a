import { afterAll, beforeAll, expect, it } from 'vitest'
import { addKey, openForBusiness, type Person, signIn } from '../support/operator.ts'
import { completion, json, type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts'
import { type Site, startSite } from '../support/site.ts'

/** A key that is used up says so with its next calls. */

const cost = 275
let site: Site
let upstream: ScriptedUpstream
let operator: Person

beforeAll(async () => {
  site = await startSite()
  upstream = await startScriptedUpstream()
  upstream.answer = json(completion())
  operator = await signIn(site.url)
  await openForBusiness(operator, upstream.url)
  await operator.must('PUT', '/api/option/', { key: 'PreConsumedQuota', value: '1' })
})
afterAll(async () => {
  await site?.remove()
  await upstream?.close()
})

const call = async (key: string): Promise<{ status: number; text: string }> => {
  const response = await fetch(`${site.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'accept-language': 'zh' },
    body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }], max_tokens: 50 }),
  })
  return { status: response.status, text: await response.text() }
}

it('a key whose quota is used up to the last unit is refused with 401 long before its row is read again', async () => {
  const key = await addKey(operator, { unlimited_quota: false, remain_quota: cost })
  await expect.poll(async () => (await call(key)).status).toBe(200)
  await expect.poll(async () => (await call(key)).status).toBe(401)
  expect((await call(key)).text).toContain('该令牌额度已用尽')
})

it('a key that was charged more than it had is refused with 401 by the very next call', async () => {
  upstream.answer = json(
    completion({ content: 'x' }, { usage: { prompt_tokens: 20, completion_tokens: 60, total_tokens: 80 } }),
  )
  const key = await addKey(operator, { unlimited_quota: false, remain_quota: cost })
  expect((await call(key)).status).toBe(200)
  const { status, text } = await call(key)
  expect(status).toBe(401)
  expect(text).toContain('该令牌额度已用尽')
})
