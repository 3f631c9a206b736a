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

/** Cost tags of keys and calls, through the whole product with the official clients. */

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

it('stand in the log, are filtered and summed by, and stay here', async () => {
  const tags = { cost_centre: '7' }
  const made: { key: string; id: number; tags: object } = await ask('POST', 'token/', {
    name: 'tagged',
    unlimited_quota: true,
    tags,
  })
  expect(made.tags).toEqual(tags)
  const apiKey = `sk-${made.key}`
  const openai = new OpenAI({ apiKey, baseURL: `${site.url}/v1` })
  const messages = [{ role: 'user' as const, content: 'hi' }]
  await openai.chat.completions.create({ model: 'gpt-4o', messages })
  await openai.chat.completions.create(
    { model: 'gpt-4o', messages, metadata: { env: 'dev', run: '4' } },
    { headers: { 'X-Tollgate-Tags': 'env=test, team=red' } },
  )
  const anthropic = new Anthropic({ apiKey, baseURL: site.url })
  const hi = { model: 'gpt-4o', max_tokens: 9, messages, metadata: { user_id: 'session_1' } }
  await anthropic.messages.create(hi, { headers: { 'X-Tollgate-Tags': 'cost_centre=8' } })
  expect(sent.map((headers) => headers['x-tollgate-tags'])).toEqual([undefined, undefined, undefined])

  const logged = async (filter: string): Promise<object[]> => {
    const { items }: { items: { tags?: object }[] } = await ask('GET', `log/self?type=2&token_name=tagged${filter}`)
    return items.map((item) => item.tags ?? {})
  }
  const [first, second, third] = [tags, { ...tags, env: 'test', run: '4', team: 'red' }, { cost_centre: '8' }]
  await expect.poll(() => logged('')).toEqual([third, second, first])
  expect(await logged('&tag=cost_centre%3D7')).toEqual([second, first])
  expect(await logged('&tag=env')).toEqual([second])
  expect(await logged('&tag=env%3Dtes')).toEqual([])
  expect(await logged('&tag=%25')).toEqual([])

  const range = `start_timestamp=${Math.floor(Date.now() / 1000) - 86_400}&end_timestamp=${Math.floor(Date.now() / 1000) + 3600}&metric=calls`
  const figures = async (query: string): Promise<unknown[][]> => {
    const { rows }: { rows: { key: string; value: number }[] } = await ask('GET', `explore/self?${range}&${query}`)
    return rows.map(({ key, value }) => [key, value]).toSorted()
  }
  await expect
    .poll(() => figures('by=tag'))
    .toEqual([
      ['cost_centre=7', 2],
      ['cost_centre=8', 1],
      ['env=test', 1],
      ['run=4', 1],
      ['team=red', 1],
    ])
  const only = encodeURIComponent(JSON.stringify([{ dimension: 'tag', is: 'is', values: ['cost_centre=7'] }]))
  expect(await figures(`by=model&filters=${only}`)).toEqual([['gpt-4o', 2]])

  await ask('PUT', 'token/', { id: made.id, tags: {} })
  await openai.chat.completions.create({ model: 'gpt-4o', messages })
  await expect.poll(async () => (await logged(''))[0]).toEqual({})
})
