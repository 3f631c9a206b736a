import { describe, expect, it, vi } from 'vitest'
import { fakeFetch, refused } from '../../test/fake-fetch.ts'
import { ApiError, call, callWhole, whenSignedOut } from './api.ts'
import { addressOf } from './call-address.ts'
import { connectionStore } from './connection.ts'
import { calls } from './contract.ts'
import { storedUser, storeUser } from './session.ts'

const alice = { id: 7, username: 'alice', display_name: '', role: 1, status: 1, group: 'default' }
const failureOf = async (answer: Response): Promise<ApiError> => {
  fakeFetch({ 'GET /api/user/self': () => answer })
  const error: unknown = await call(calls.getSelf).catch((caught: unknown) => caught)
  if (!(error instanceof ApiError)) throw new Error('expected an ApiError')
  return error
}

describe('a call', () => {
  it('fills parameters into the path and leaves empty query values out', () => {
    expect(addressOf('/api/token/:id', { params: { id: 'a/b' }, query: { p: 1, keyword: '', sort: undefined } })).toBe(
      '/api/token/a%2Fb?p=1',
    )
  })

  it('sends the user id, no-store and the language with every call', async () => {
    storeUser(alice)
    const sent = fakeFetch({ 'GET /api/user/self': () => alice })
    await call(calls.getSelf)
    expect(Object.fromEntries(sent[0]?.headers ?? [])).toMatchObject({
      'new-api-user': '7',
      'cache-control': 'no-store',
      'accept-language': 'zh',
    })
  })

  it('returns the data, or the whole envelope with the fields beside it', async () => {
    fakeFetch({ 'GET /api/channel/test/3': () => Response.json({ success: true, message: '', time: 1.25 }) })
    const whole = await callWhole(calls.testChannel, { params: { id: 3 }, query: {} })
    expect(whole.time).toBe(1.25)
  })

  it('reads answers of payments, which have no `success`', async () => {
    const body = { amount: 1, top_up_code: '', payment_method: 'wx' }
    fakeFetch({
      'POST /api/user/pay': () => Response.json({ message: 'success', data: { pid: '1' }, url: 'https://p' }),
    })
    expect(await callWhole(calls.payTopUp, { body })).toMatchObject({ data: { pid: '1' }, url: 'https://p' })
    fakeFetch({ 'POST /api/user/pay': () => Response.json({ message: 'error', data: '充值金额过低' }) })
    await expect(call(calls.payTopUp, { body })).rejects.toMatchObject({ message: '充值金额过低' })
  })

  it('fails with the server message, code and request id when refused', async () => {
    const error = await failureOf(refused('用户名已存在，或已注销', 'username_taken'))
    expect(error).toMatchObject({ message: '用户名已存在，或已注销', code: 'username_taken', requestId: 'req_test' })
  })

  it('knows the page of a proxy that does not reach the server from an answer of it', async () => {
    const page = { status: 502, headers: { 'content-type': 'text/html' } }
    const badGateway = () => new Response('<h1>Bad Gateway</h1>', page)
    fakeFetch({ 'GET /api/user/self': badGateway, 'GET /api/status': badGateway })
    await expect(call(calls.getSelf)).rejects.toMatchObject({ code: 'network' })
    expect(connectionStore.get()).toBe(false)
    // The server is there: the proxy gave up this one call.
    fakeFetch({ 'GET /api/user/self': badGateway, 'GET /api/status': () => ({}) })
    await expect(call(calls.getSelf)).rejects.toMatchObject({ code: 'http_502' })
    expect(connectionStore.get()).toBe(true)
  })

  it.each([
    [429, {}, '错误：请求次数过多，请稍后再试！'],
    [500, { message: 'panic' }, '错误：服务器内部错误，请联系管理员！'],
    [405, {}, '本站仅作演示之用，无服务端！'],
    [502, { message: '上游响应超时' }, '错误：上游响应超时'],
    [429, { message: '请 30 秒后再试', code: 'login_throttled' }, '错误：请 30 秒后再试'],
  ])('has the required message for HTTP %i', async (status, body, message) => {
    const error = await failureOf(Response.json({ success: false, ...body }, { status }))
    expect(error.message).toBe(message)
  })

  it('says that the server cannot be reached when there is no answer', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    await expect(call(calls.getSelf)).rejects.toMatchObject({ code: 'network', status: 0 })
  })

  it('ends the session in the console and notifies the router when the server’s session has ended', async () => {
    storeUser(alice)
    const signedOut = vi.fn()
    whenSignedOut(signedOut)
    await failureOf(refused('未登录', 'not_signed_in', 401))
    expect(storedUser()).toBeUndefined()
    expect(localStorage.getItem('user')).toBeNull()
    expect(signedOut).toHaveBeenCalledOnce()
  })
})
