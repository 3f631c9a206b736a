import { endpoint } from '@tollgate/contract'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { callApi, testApi, testCaller } from '../../test/support/http/console.ts'
import type { Callers } from './access.ts'

const visitor = { access: 'visitor', summary: '' } as const
const read = endpoint({ ...visitor, method: 'GET', path: '/api/thing/' })
const make = endpoint({ ...visitor, method: 'POST', path: '/api/thing/', body: z.object({ name: z.string() }) })
const end = endpoint({ ...visitor, method: 'GET', path: '/api/end', changes: true })

const signedIn: Callers = { bySession: async () => ({ caller: testCaller() }), byAccessToken: async () => undefined }

const things = () => {
  const api = testApi({ callers: signedIn })
  for (const entry of [read, make, end]) api.on(entry, () => ({}))
  return api
}

describe('calls from other sites', () => {
  const cookie = { cookie: 'session=x' }
  it.each([
    [
      'a browser on our page',
      'POST',
      { ...cookie, 'sec-fetch-site': 'same-origin', origin: 'http://console.test' },
      true,
    ],
    [
      'a browser behind a proxy that renames the host',
      'POST',
      { ...cookie, 'sec-fetch-site': 'same-origin', origin: 'https://public.test' },
      true,
    ],
    ['another site', 'POST', { ...cookie, 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' }, false],
    ['another site following a link', 'GET', { ...cookie, 'sec-fetch-site': 'cross-site' }, false],
    [
      'a sibling site',
      'POST',
      { ...cookie, 'sec-fetch-site': 'same-site', origin: 'https://evil.console.test' },
      false,
    ],
    ['an old browser on another site', 'POST', { ...cookie, origin: 'https://evil.test' }, false],
    ['an old browser in a sandbox', 'POST', { ...cookie, origin: 'null' }, false],
    ['an old browser on our page', 'POST', { ...cookie, origin: 'https://console.test:8443' }, true],
    ['a program', 'POST', cookie, true],
    ['another site without a cookie', 'POST', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' }, false],
    ['another site reading without a cookie', 'GET', { 'sec-fetch-site': 'cross-site' }, true],
    ['a program without a cookie', 'POST', {}, true],
  ])('treats %s rightly', async (_, method, headers, allowed) => {
    const api = things()
    const answer = await callApi(api, method, '/api/thing/', {
      headers: headers as Record<string, string>,
      ...(method === 'POST' ? { body: { name: 'x' } } : {}),
    })
    expect(answer.json.success).toBe(allowed)
    if (!allowed) expect([answer.status, answer.json.code]).toEqual([403, 'cross_origin'])
  })
})

describe('changes by GET', () => {
  it.each([
    ['our own page', { 'sec-fetch-site': 'same-origin' }, true],
    ['an address typed in', { 'sec-fetch-site': 'none' }, true],
    ['a program', {}, true],
    ['an old browser on our page', { referer: 'http://console.test/personal' }, true],
    ['another site', { 'sec-fetch-site': 'cross-site' }, false],
    ['a sibling site', { 'sec-fetch-site': 'same-site', referer: 'https://evil.console.test/' }, false],
    ['an old browser on another site', { referer: 'https://evil.test/' }, false],
  ])('are taken from %s: %j %s', async (_, headers: Record<string, string>, allowed) => {
    const api = things()
    const answer = await callApi(api, 'GET', '/api/end', { headers: { ...headers, cookie: 'session=x' } })
    expect(answer.json.success).toBe(allowed)
    const reading = await callApi(api, 'GET', '/api/thing/', { headers: { ...headers, cookie: 'session=x' } })
    expect(reading.json.success).toBe(allowed || headers['sec-fetch-site'] !== 'cross-site')
  })
})
