import {
  deleteChannel,
  endpoint,
  login,
  logout,
  makeAccessToken,
  putOption,
  putOptions,
  updateSelf,
} from '@tollgate/contract'
import { beforeEach, expect, it } from 'vitest'
import { callApi, type TestCall, testApi, testCaller } from '../../test/support/http/console.ts'
import type { Callers } from './access.ts'

const look = endpoint({ method: 'GET', path: '/api/look', access: 'admin', summary: '' })

const callers: Callers = {
  bySession: async () => ({ caller: testCaller({ role: 100 }) }),
  byAccessToken: async () => undefined,
}
const headers = { cookie: 'session=x', 'New-Api-User': '7' }

let done: string[]
let demo: boolean
const api = testApi({ callers, demoSite: () => demo })
for (const entry of [look, login, logout, deleteChannel, makeAccessToken, updateSelf, putOption, putOptions]) {
  api.on(entry, () => {
    done.push(entry.path)
    return {}
  })
}

beforeEach(() => {
  done = []
  demo = true
})

const call = (method: string, path: string, more: TestCall = {}) => callApi(api, method, path, { headers, ...more })

it.each([
  ['administrative writes', 'DELETE', '/api/channel/5', undefined],
  ['writes with an unusable body', 'PUT', '/api/option/', '{'],
  ['options', 'PUT', '/api/option/', { key: 'RetryTimes', value: '3' }],
  ['the own profile', 'PUT', '/api/user/self', { display_name: 'mine' }],
  ['a change by GET', 'GET', '/api/user/token', undefined],
])('refuses %s on a demo site, with the agreed text and status', async (_, method, path, body) => {
  const answer = await call(method, path, { body })
  expect([answer.status, answer.json.message, answer.json.success]).toEqual([
    405,
    '本站仅作演示之用，无服务端！',
    false,
  ])
  expect(done).toEqual([])
  demo = false
  await call(method, path, { body })
  expect(done).toEqual(body === '{' ? [] : [path.replace('/5', '/:id')])
})

it('lets people look, sign in and sign out', async () => {
  await call('GET', '/api/look')
  await call('POST', '/api/user/login', { body: { username: 'a', password: 'b' } })
  await call('GET', '/api/user/logout')
  expect(done).toEqual(['/api/look', '/api/user/login', '/api/user/logout'])
})

const off = { key: 'DemoSiteEnabled', value: false }
it.each([
  ['from this machine', '/api/option/', off, {}, true],
  ['from a private network', '/api/option/', { ...off, value: 'false' }, { from: '10.0.0.9' }, true],
  ['from the settings screen', '/api/option/batch', { changes: [off] }, {}, true],
  ['through a proxy', '/api/option/', off, { headers: { ...headers, 'x-forwarded-for': '10.0.0.9' } }, false],
  ['from the internet', '/api/option/', off, { from: '203.0.113.9' }, false],
  ['beside another change', '/api/option/batch', { changes: [off, { key: 'RetryTimes', value: '1' }] }, {}, false],
  ['the other way round', '/api/option/', { ...off, value: true }, {}, false],
])('knows whether root may end the demo %s', async (_, path, body, more, allowed) => {
  const answer = await call('PUT', path, { body, ...more })
  expect(answer.status).toBe(allowed ? 200 : 405)
  expect(done).toEqual(allowed ? [path] : [])
})
