import { endpoint } from '@tollgate/contract'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { callApi, testApi, testCaller } from '../../test/support/http/console.ts'
import { AppError } from '../lib/app-error.ts'

const price = endpoint({
  method: 'POST',
  path: '/api/price',
  access: 'user',
  answers: 'message',
  summary: '',
  body: z.object({ amount: z.int() }),
  data: z.string(),
  beside: z.object({ url: z.string() }),
})
const fields = z.record(z.string(), z.string())
const bell = endpoint({
  method: 'GET',
  path: '/api/bell',
  access: 'visitor',
  changes: true,
  answers: 'text',
  summary: '',
  query: fields,
})
const bellForm = endpoint({
  method: 'POST',
  path: '/api/bell',
  access: 'visitor',
  answers: 'text',
  form: true,
  summary: '',
  body: fields,
})

const open = () => {
  const received: unknown[] = []
  const caller = testCaller()
  const api = testApi({ callers: { bySession: async () => ({ caller }), byAccessToken: async () => undefined } })
  api.on(price, ({ body }) => {
    if (body.amount < 1) throw new AppError('topup_too_small', { params: { least: 1 } })
    if (body.amount > 9) throw new Error('a secret of the server')
    return { data: `${body.amount}.00`, beside: { url: 'https://pay.example' } }
  })
  const answerBell = (value: unknown) => {
    received.push(value)
    if (received.length > 2) throw new Error('broken')
    return { message: received.length > 1 ? 'fail' : 'success' }
  }
  api.on(bell, ({ query }) => answerBell(query))
  api.on(bellForm, ({ body }) => answerBell(body))
  const headers = { cookie: 'session=x', 'new-api-user': '7' }
  return {
    received,
    ask: (body: unknown) => callApi(api, 'POST', '/api/price', { headers, body }),
    api,
  }
}

describe('calls that answer without `success`', () => {
  it.each([
    [{ amount: 3 }, { message: 'success', data: '3.00', url: 'https://pay.example' }],
    [{ amount: 0 }, { message: 'error', data: '充值数量不能小于 1', code: 'topup_too_small', params: { least: 1 } }],
    [{ amount: 'x' }, { message: 'error', data: '参数错误', code: 'topup_parameter' }],
    ['no json', { message: 'error', data: '参数错误', code: 'topup_parameter' }],
    [{ amount: 10 }, { message: 'error', data: '服务器内部错误，请联系管理员', code: 'internal_error' }],
  ])('say of %j %j', async (body, expected) => {
    const answer = await open().ask(body)
    expect([answer.status, answer.json]).toEqual([200, expected])
  })

  it('refuse strangers like every other call', async () => {
    const answer = await callApi(open().api, 'POST', '/api/price', { body: { amount: 3 } })
    expect([answer.status, answer.json]).toMatchObject([401, { success: false, code: 'not_signed_in' }])
  })
})

describe('calls that answer a machine with one word', () => {
  it('read a query or a form, and say fail when something breaks', async () => {
    const { api, received } = open()
    const answer = await callApi(api, 'GET', '/api/bell?name=%E5%85%85%20a%2Bb&money=1.00')
    expect([answer.status, answer.text]).toEqual([200, 'success'])
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    const form = await callApi(api, 'POST', '/api/bell', {
      body: 'name=%E5%85%85+a%2Bb&money=1.00',
      headers: { origin: 'https://pay.example', 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(form.text).toBe('fail')
    expect(received).toEqual([
      { name: '充 a+b', money: '1.00' },
      { name: '充 a+b', money: '1.00' },
    ])
    expect((await callApi(api, 'GET', '/api/bell?a=1')).text).toBe('fail')
    expect((await callApi(api, 'GET', '/api/bell?a=%00')).text).toBe('fail')
    expect(received).toHaveLength(3)
  })
})

describe('a file', () => {
  const file = endpoint({ method: 'GET', path: '/api/file', access: 'visitor', answers: 'file', summary: '' })
  const apiOfVisitors = () =>
    testApi({ callers: { bySession: async () => undefined, byAccessToken: async () => undefined } })

  it('is sent piece by piece as it is made, and no longer once the client is gone', async () => {
    let made = 0
    let ended = false
    const api = apiOfVisitors()
    const parts = async function* () {
      try {
        for (;;) {
          made += 1
          yield `piece ${made}\n`
        }
      } finally {
        ended = true
      }
    }
    api.on(file, () => ({ file: { name: 'all.txt', type: 'text/plain', parts: parts() } }))
    const answer = await api.fetch(new Request('http://console.test/api/file'), { address: '127.0.0.1' })
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="all.txt"')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    const reader = answer.body?.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('piece 1\n')
    await reader?.cancel()
    expect(ended).toBe(true)
    expect(made).toBeLessThan(5)
  })

  it('is refused with an envelope', async () => {
    const api = apiOfVisitors()
    api.on(file, () => {
      throw new AppError('not_found')
    })
    expect((await callApi(api, 'GET', '/api/file')).json).toMatchObject({ success: false, code: 'not_found' })
  })
})
