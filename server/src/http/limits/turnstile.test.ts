import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { endpoint } from '@tollgate/contract'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { callApi, testApi } from '../../../test/support/http/console.ts'
import { asyncListener } from '../../../test/support/lib/async-listener.ts'
import { createTurnstile } from './turnstile.ts'

const riddle = endpoint({
  method: 'POST',
  path: '/api/riddle',
  access: 'visitor',
  human: 'login',
  summary: 'Asks for a human',
  body: z.object({ name: z.string() }),
})

let reply: unknown
const checks: URLSearchParams[] = []
const server = createServer(
  asyncListener(async (request, response) => {
    checks.push(new URLSearchParams(await text(request)))
    response.end(typeof reply === 'string' ? reply : JSON.stringify(reply))
  }),
)
let verifyUrl = ''
const settings = { TurnstileCheckEnabled: true, TurnstileSecretKey: 'the secret', ServerAddress: '' }

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  verifyUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/siteverify`
})
afterAll(() => server.close())
beforeEach(() => {
  checks.length = 0
  reply = { success: true, action: 'login', hostname: 'console.test', 'error-codes': [] }
  Object.assign(settings, { TurnstileCheckEnabled: true, ServerAddress: '' })
})

const call = async (query = '?turnstile=a-token', url = verifyUrl, body: unknown = { name: 'x' }) => {
  const noCallers = { bySession: async () => undefined, byAccessToken: async () => undefined }
  const api = testApi({
    callers: noCallers,
    assertHuman: createTurnstile({ settings: () => settings, verifyUrl: url }),
  })
  api.on(riddle, () => ({}))
  const answer = await callApi(api, 'POST', `/api/riddle${query}`, { body, from: '198.51.100.7' })
  return answer.json
}

it('asks about each call, with the secret and the address of the caller', async () => {
  expect((await call()).success).toBe(true)
  expect((await call()).success).toBe(true)
  expect(checks.map((fields) => Object.fromEntries(fields))).toEqual(
    Array(2).fill({ secret: 'the secret', response: 'a-token', remoteip: '198.51.100.7' }),
  )
})

it('comes before everything that the call itself asks for', async () => {
  expect(await call('', verifyUrl, { wrong: true })).toMatchObject({ success: false, message: 'Turnstile token 为空' })
  expect(checks).toEqual([])
})

it.each([
  ['a wrong or used token', { success: false, 'error-codes': ['timeout-or-duplicate'] }],
  ['a token for something else', { success: true, action: 'register', hostname: 'console.test' }],
  ['a token without a purpose', { success: true, hostname: 'console.test' }],
  ['a token from another site', { success: true, action: 'login', hostname: 'evil.test' }],
])('refuses %s', async (_, answered) => {
  reply = answered
  expect(await call()).toMatchObject({ success: false, message: 'Turnstile 校验失败，请刷新重试！' })
})

it('goes by the address of the site where the operator gave one', async () => {
  settings.ServerAddress = 'https://gate.example:8443'
  expect(await call()).toMatchObject({ code: 'turnstile_failed' })
  reply = { success: true, action: 'login', hostname: 'gate.example' }
  expect((await call()).success).toBe(true)
})

it('says when the check cannot be reached, and when the operator set it up wrongly', async () => {
  expect(await call('?turnstile=a-token', 'http://127.0.0.1:1')).toMatchObject({ code: 'turnstile_unreachable' })
  reply = '<html>bad gateway</html>'
  expect(await call()).toMatchObject({ message: 'Turnstile 服务暂时无法访问，请稍后重试' })
  reply = { success: false, 'error-codes': ['internal-error'] }
  expect(await call()).toMatchObject({ code: 'turnstile_unreachable' })
  reply = { success: false, 'error-codes': ['invalid-input-secret'] }
  expect(await call()).toMatchObject({ message: 'Turnstile 配置有误，请联系管理员' })
})

it('checks no caller while it is off', async () => {
  settings.TurnstileCheckEnabled = false
  expect((await call('')).success).toBe(true)
  expect(checks).toEqual([])
})
