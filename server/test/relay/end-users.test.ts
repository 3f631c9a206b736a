import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import Anthropic from '@anthropic-ai/sdk'
import { role } from '@tollgate/contract'
import OpenAI from 'openai'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { withSession } from '../rights/calls.ts'
import { createPeople, type Person } from '../rights/people.ts'
import { openRightsSite, type RightsSite } from '../rights/site.ts'

/** End users of calls, through the whole product with the official clients. */

const sent: IncomingHttpHeaders[] = []
const upstream = createServer((request, response) => {
  sent.push(request.headers)
  response.setHeader('content-type', 'application/json')
  response.end(
    JSON.stringify({
      id: 'c',
      object: 'chat.completion',
      created: 1,
      model: 'gpt-4o',
      choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
    }),
  )
})

let site: RightsSite
let user: Person

const ask = async (method: string, path: string, body?: unknown, person = user) => {
  const headers = withSession(person)
  const answer = await site.ask({ method, path: `/api/${path}`, headers, ...(body ? { body } : {}) })
  expect([path, answer.json.success]).toEqual([path, true])
  return answer.json.data as never
}

beforeAll(async () => {
  site = await openRightsSite()
  const people = createPeople(site)
  const root = await people.make(role.root)
  user = await people.make(role.user)
  await once(upstream.listen(0, '127.0.0.1'), 'listening')
  const base_url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
  await ask('POST', 'channel/', { type: 1, name: 'c', key: 'sk-c', models: 'gpt-4o', group: 'default', base_url }, root)
})
afterAll(async () => {
  await site?.close()
  upstream.close()
})

it('stand in the log and its files, are filtered, summed and limited by, and the header stays here', async () => {
  const made: { key: string; id: number } = await ask('POST', 'token/', { name: 'shop', unlimited_quota: true })
  const apiKey = `sk-${made.key}`
  const openai = new OpenAI({ apiKey, baseURL: `${site.url}/v1`, maxRetries: 0 })
  const messages = [{ role: 'user' as const, content: 'hi' }]
  await openai.chat.completions.create({ model: 'gpt-4o', messages, user: 'ann' })
  await openai.chat.completions.create({ model: 'gpt-4o', messages, user: 'x', safety_identifier: 'bob' })
  await openai.responses.create({ model: 'gpt-4o', input: 'hi', user: 'ann' })
  const anthropic = new Anthropic({ apiKey, baseURL: site.url })
  await anthropic.messages.create({ model: 'gpt-4o', max_tokens: 9, messages, metadata: { user_id: 'cleo' } })
  await openai.chat.completions.create({ model: 'gpt-4o', messages }, { headers: { 'X-Tollgate-End-User': 'ann' } })
  await openai.chat.completions.create({ model: 'gpt-4o', messages })
  expect(sent.every((headers) => headers['x-tollgate-end-user'] === undefined)).toBe(true)

  const logged = async (filter: string): Promise<(string | undefined)[]> => {
    const { items }: { items: { end_user?: string }[] } = await ask('GET', `log/self?type=2&token_name=shop${filter}`)
    return items.map(({ end_user }) => end_user)
  }
  await expect.poll(() => logged('')).toEqual([undefined, 'ann', 'cleo', 'ann', 'bob', 'ann'])
  expect(await logged('&end_user=ann')).toEqual(['ann', 'ann', 'ann'])
  expect(await logged('&end_user=an')).toEqual([])

  const now = Math.floor(Date.now() / 1000)
  const range = `start_timestamp=${now - 86_400}&end_timestamp=${now + 3600}&metric=calls`
  const figures = async (query: string): Promise<unknown[][]> => {
    const { rows }: { rows: { key: string; value: number }[] } = await ask('GET', `explore/self?${range}&${query}`)
    return rows.map(({ key, value }) => [key, value]).toSorted()
  }
  const sums = [
    ['ann', 3],
    ['bob', 1],
    ['cleo', 1],
    // The call for nobody.
    ['rest', 1],
  ]
  await expect.poll(() => figures('by=end_user')).toEqual(sums)
  const only = encodeURIComponent(JSON.stringify([{ dimension: 'end_user', is: 'is', values: ['ann'] }]))
  expect(await figures(`by=model&filters=${only}`)).toEqual([['gpt-4o', 3]])

  await ask('POST', 'limits/self', {
    name: 'one a day for each customer',
    measure: 'requests',
    amount: 1,
    window: 'day',
    subjects: [{ kind: 'key', value: String(made.id) }, { kind: 'end_user' }],
  })
  const call = (end: string) => openai.chat.completions.create({ model: 'gpt-4o', messages, user: end })
  await call('dora')
  await expect(call('dora')).rejects.toThrow(/The limit "one a day for each customer".*end user dora/)
  await call('eve')
  const long = 'f'.repeat(5000)
  await call(`${long}1`)
  await expect(call(`${long}1`)).rejects.toThrow(/one a day for each customer/)
  await call(`${long}2`)
})
