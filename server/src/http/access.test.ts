import { endpoint } from '@tollgate/contract'
import { describe, expect, it } from 'vitest'
import { callApi, testApi, testCaller } from '../../test/support/http/console.ts'
import type { Callers } from './access.ts'
import type { ConsoleCaller } from './route.ts'

const forUsers = endpoint({ method: 'GET', path: '/api/test/user', access: 'user', summary: '' })
const forAdmins = endpoint({ method: 'GET', path: '/api/test/admin', access: 'admin', summary: '' })
const forRoot = endpoint({ method: 'GET', path: '/api/test/root', access: 'root', summary: '' })
const forSessions = endpoint({ method: 'GET', path: '/api/test/session', access: 'session', summary: '' })
const forAll = endpoint({ method: 'GET', path: '/api/test/visitor', access: 'visitor', summary: '' })

const openApi = (accounts: { session?: ConsoleCaller; token?: ConsoleCaller }) => {
  const callers: Callers = {
    bySession: async (id) => (accounts.session && id === 'good' ? { caller: accounts.session } : undefined),
    byAccessToken: async (token) => (token === 'system-token' ? accounts.token : undefined),
  }
  const api = testApi({ callers })
  const seen: (ConsoleCaller | undefined)[] = []
  for (const entry of [forUsers, forAdmins, forRoot, forSessions, forAll]) {
    api.on(entry, ({ caller }) => {
      seen.push(caller)
      return {}
    })
  }
  return { api, seen }
}

const cookie = { cookie: 'session=good' }
const id = { 'New-Api-User': '7' }

describe('access, in the order of its checks', () => {
  it.each([
    ['1 nothing given', {}, {}, 401, '无权进行此操作，未登录且未提供 access token'],
    ['1 a dead session', {}, { cookie: 'session=bad', ...id }, 401, '无权进行此操作，未登录且未提供 access token'],
    ['2 a wrong access token', {}, { authorization: 'wrong' }, 200, '无权进行此操作，access token 无效'],
    [
      '3 an access token of a nameless user',
      { token: testCaller({ username: ' ' }) },
      { authorization: 'system-token' },
      200,
      '无权进行此操作，用户信息无效',
    ],
    [
      '3 an access token of an unknown role',
      { token: testCaller({ role: 55 }) },
      { authorization: 'system-token' },
      200,
      '无权进行此操作，用户信息无效',
    ],
    ['4 no user id, session', { session: testCaller() }, cookie, 401, '无权进行此操作，未提供 New-Api-User'],
    [
      '4 no user id, token',
      { token: testCaller() },
      { authorization: 'system-token' },
      401,
      '无权进行此操作，未提供 New-Api-User',
    ],
    [
      '5 a user id that is no number',
      { session: testCaller() },
      { ...cookie, 'New-Api-User': '7x' },
      401,
      '无权进行此操作，New-Api-User 格式错误',
    ],
    [
      '6 another user id',
      { session: testCaller() },
      { ...cookie, 'New-Api-User': '8' },
      401,
      '无权进行此操作，New-Api-User 与登录用户不匹配',
    ],
    [
      '6 before 7',
      { session: testCaller({ status: 2 }) },
      { ...cookie, 'New-Api-User': '8' },
      401,
      '无权进行此操作，New-Api-User 与登录用户不匹配',
    ],
    ['7 a banned user', { session: testCaller({ status: 2 }) }, { ...cookie, ...id }, 200, '用户已被封禁'],
    ['7 a retired user', { session: testCaller({ status: 3 }) }, { ...cookie, ...id }, 200, '用户已被封禁'],
    ['8 a guest', { session: testCaller({ role: 0 }) }, { ...cookie, ...id }, 200, '无权进行此操作，权限不足'],
    [
      '9 a session of an unknown role',
      { session: testCaller({ role: 55 }) },
      { ...cookie, ...id },
      200,
      '无权进行此操作，用户信息无效',
    ],
  ])('refuses %s', async (_, callers, headers, status, message) => {
    const { api, seen } = openApi(callers)
    const answer = await callApi(api, 'GET', forUsers.path, { headers: headers as Record<string, string> })
    expect([answer.status, answer.json.message]).toEqual([status, message])
    expect(answer.json).toMatchObject({ success: false, code: expect.any(String), request_id: expect.any(String) })
    expect(seen).toEqual([])
  })

  it.each([
    [forUsers, 1, [true, true, true]],
    [forAdmins, 10, [false, true, true]],
    [forRoot, 100, [false, false, true]],
  ])('asks the right role of callers of %#', async (entry, _, expected) => {
    const allowed = await Promise.all(
      [1, 10, 100].map(async (role) => {
        const { api } = openApi({ session: testCaller({ role }) })
        const answer = await callApi(api, 'GET', entry.path, { headers: { ...cookie, ...id } })
        expect(answer.status).toBe(200)
        if (answer.json.success !== true) expect(answer.json.message).toBe('无权进行此操作，权限不足')
        return answer.json.success
      }),
    )
    expect(allowed).toEqual(expected)
  })

  it.each(['system-token', 'Bearer system-token'])('accepts the access token as "%s"', async (authorization) => {
    const { api, seen } = openApi({ token: testCaller({ viaAccessToken: true }) })
    const answer = await callApi(api, 'GET', forUsers.path, { headers: { authorization, ...id } })
    expect(answer.json).toEqual({ success: true, message: '' })
    expect(seen).toMatchObject([{ id: 7, viaAccessToken: true }])
  })

  it('lets a session win over the access token', async () => {
    const { api, seen } = openApi({ session: testCaller(), token: testCaller({ id: 9 }) })
    await callApi(api, 'GET', forUsers.path, { headers: { ...cookie, ...id, authorization: 'system-token' } })
    expect(seen).toMatchObject([{ id: 7 }])
  })

  it('reads only the cookie for session endpoints, without the user-id header', async () => {
    const { api } = openApi({ session: testCaller(), token: testCaller() })
    expect((await callApi(api, 'GET', forSessions.path, { headers: cookie })).json.success).toBe(true)
    expect(
      (await callApi(api, 'GET', forSessions.path, { headers: { authorization: 'system-token', ...id } })).status,
    ).toBe(401)
  })

  it('lets everyone in where visitors may call, and identifies users by their session only', async () => {
    const { api, seen } = openApi({ session: testCaller(), token: testCaller() })
    await callApi(api, 'GET', forAll.path)
    await callApi(api, 'GET', forAll.path, { headers: { authorization: 'system-token' } })
    await callApi(api, 'GET', forAll.path, { headers: cookie })
    expect(seen).toMatchObject([undefined, undefined, { id: 7 }])
  })

  it('takes a banned visitor for a stranger', async () => {
    const { api, seen } = openApi({ session: testCaller({ status: 2 }) })
    await callApi(api, 'GET', forAll.path, { headers: cookie })
    expect(seen).toEqual([undefined])
  })
})
