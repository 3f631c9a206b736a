import type { LogEntry, Page, User } from '@tollgate/contract'
import OpenAI from 'openai'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addChannel, addCustomer, type Person, signIn } from './support/operator.ts'
import { json, type ScriptedUpstream, startScriptedUpstream } from './support/scripted-upstream.ts'
import { type Site, startSite } from './support/site.ts'

/** A picture that a provider draws in a task, through the started product: asked after, fetched, paid for. */

const balance = 1_000_000
const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a])
const model = 'wanx2.1-t2i-turbo'

let upstream: ScriptedUpstream

/** Draws one picture, and keeps it at an address of its own. */
const draw = (): void => {
  upstream.answer = (call) => {
    if (call.path === '/1.png') call.response.writeHead(200, { 'content-type': 'image/png' }).end(png)
    else if (call.path === '/api/v1/tasks/t-1') {
      const results = [{ url: `${upstream.url}/1.png` }]
      json({ output: { task_id: 't-1', task_status: 'SUCCEEDED', results } })(call)
    } else json({ output: { task_id: 't-1', task_status: 'PENDING' } })(call)
  }
}

interface Drawing {
  readonly site: Site
  readonly operator: Person
  readonly customer: Person
  readonly client: OpenAI
}

const openSite = async (environment: Record<string, string>): Promise<Drawing> => {
  const site = await startSite(environment)
  const operator = await signIn(site.url)
  await operator.must('PUT', '/api/option/', { key: 'ModelPrice', value: JSON.stringify({ [model]: 0.02 }) })
  await addChannel(operator, upstream.url, { type: 17, name: 'draws', models: model })
  const customer = await addCustomer(site.url, operator, 'paints', balance)
  const token = await customer.must<{ key: string }>('POST', '/api/token/', { name: 'first', unlimited_quota: true })
  const client = new OpenAI({ apiKey: `sk-${token.key}`, baseURL: `${site.url}/v1`, maxRetries: 0 })
  return { site, operator, customer, client }
}

const logs = async ({ operator }: Drawing, type: number): Promise<LogEntry[]> =>
  (await operator.must<Page<LogEntry>>('GET', `/api/log/?type=${type}&username=paints`)).items

let allowed: Drawing
let closed: Drawing

beforeAll(async () => {
  upstream = await startScriptedUpstream()
  draw()
  allowed = await openSite({ EGRESS_ALLOW: '127.0.0.1' })
  closed = await openSite({})
})
afterAll(async () => {
  await allowed?.site.remove()
  await closed?.site.remove()
  await upstream?.close()
})

const request = { model, prompt: 'a toll booth' }

it('is answered as a URL, or as bytes', async () => {
  const { client, operator, customer } = allowed
  expect((await client.images.generate(request)).data).toEqual([{ url: `${upstream.url}/1.png` }])
  const answer = await client.images.generate({ ...request, response_format: 'b64_json' })
  expect(answer.data).toEqual([{ b64_json: png.toString('base64') }])
  await expect
    .poll(async () => (await operator.must<User>('GET', `/api/user/${customer.id}`)).quota)
    .toBe(balance - 2 * 10_000)
  expect((await logs(allowed, 2)).map(({ quota }) => quota)).toEqual([10_000, 10_000])
})

it('is fetched from no private place that the operator has not allowed, and costs nothing then', async () => {
  const { client, operator, customer } = closed
  const before = upstream.calls.filter(({ path }) => path === '/1.png').length
  await expect(client.images.generate({ ...request, response_format: 'b64_json' })).rejects.toMatchObject({
    status: 502,
    code: 'drawing_image_failed',
  })
  expect(upstream.calls.filter(({ path }) => path === '/1.png')).toHaveLength(before)
  await expect.poll(() => logs(closed, 5)).toHaveLength(1)
  expect((await operator.must<User>('GET', `/api/user/${customer.id}`)).quota).toBe(balance)
})
