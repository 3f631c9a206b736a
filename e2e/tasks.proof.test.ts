import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Channel, Drawing, LogEntry, Page, Task, Token, User } from '@tollgate/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestService, pictureBytes, type TestService } from '../server/test/support/relay/task-service.ts'
import { addChannel, addCustomer, type Person, signIn } from './support/operator.ts'
import { type Site, startSite } from './support/site.ts'

/** Drawings and songs through the started product: begun, followed to their end, paid back where they fail. */

let site: Site
let service: TestService
let operator: Person
let customer: Person
let key: string

const balance = 1_000_000
const allowance = 800_000
const price = 50_000

beforeAll(async () => {
  service = await openTestService()
  site = await startSite({ EGRESS_ALLOW: '127.0.0.1' })
  operator = await signIn(site.url)
  customer = await addCustomer(site.url, operator, 'draws', balance)
  const token = await customer.must<{ key: string }>('POST', '/api/token/', { name: 'first', remain_quota: allowance })
  key = `sk-${token.key}`
  await operator.must('PUT', '/api/option/', { key: 'ServerAddress', value: site.url })
  await addChannel(operator, service.url, { type: 2, name: 'draws', key: 'mj-key', models: 'mj_imagine,mj_upscale' })
  await addChannel(operator, service.url, { type: 36, name: 'sings', key: 'suno-key', models: 'suno_music' })
})
afterAll(async () => {
  await site?.remove()
  await service?.close()
})

const call = async (path: string, body?: unknown) => {
  const response = await fetch(site.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, json: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) }
}

/** Asks until the answer is right; upstreams are asked every fifteen seconds. */
const soon = async <T>(ask: () => Promise<T>, right: (answer: T) => boolean): Promise<T> => {
  const until = Date.now() + 45_000
  for (;;) {
    const answer = await ask()
    if (right(answer) || Date.now() > until) return answer
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

const imagine = async (): Promise<string> => {
  const { status, json } = await call('/mj/submit/imagine', { prompt: 'a toll booth' })
  expect([status, json.code]).toEqual([200, 1])
  return String(json.result)
}

const drawing = async (id: string) => (await customer.must<Drawing[]>('GET', `/api/mj/self?mj_id=${id}`))[0]
const used = async () => {
  const user = await operator.must<User>('GET', `/api/user/${customer.id}`)
  const [token] = (await customer.must<Page<Token>>('GET', '/api/token/browse')).items
  return [user.quota, user.used_quota, token?.remain_quota, token?.used_quota]
}
const charged = (charges: number) => [balance - charges, charges, allowance - charges, charges]
const channelUsed = async (name: string): Promise<number | undefined> =>
  (await operator.must<Page<Channel>>('GET', '/api/channel/browse')).items.find((row) => row.name === name)?.used_quota
const logs = async (type: number): Promise<LogEntry[]> =>
  (await operator.must<Page<LogEntry>>('GET', `/api/log/?type=${type}&username=draws`)).items

describe('a drawing', () => {
  it('is there at once, is followed to its end, and shows its picture from here', async () => {
    const id = await imagine()
    expect(await call(`/mj/task/${id}/fetch`)).toMatchObject({
      status: 200,
      json: { id, action: 'IMAGINE', status: 'SUBMITTED', progress: '0%', prompt: 'a toll booth' },
    })
    expect(await used()).toEqual(charged(price))
    service.move(id, { status: 'SUCCESS', progress: '100%', imageUrl: `${service.url}/picture.png` })
    const shown = await soon(
      () => call(`/mj-fast/mj/task/${id}/fetch`),
      ({ json }) => json.status === 'SUCCESS',
    )
    expect(shown.json).toMatchObject({ progress: '100%', imageUrl: `${site.url}/mj/image/${id}` })
    const picture = await fetch(String(shown.json.imageUrl))
    expect(picture.headers.get('content-type')).toBe('image/png')
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(pictureBytes)
    const [row] = await operator.must<Drawing[]>('GET', `/api/mj/?mj_id=${id}`)
    expect(row).toMatchObject({ status: 'SUCCESS', quota: price, user_id: customer.id, code: 1 })
    expect(row).not.toHaveProperty('key_hash')
    expect(await call(`/mj/task/${id}/image-seed`)).toMatchObject({ status: 200, json: { result: '4242' } })
    expect(await call('/mj/submit/simple-change', { content: `${id} u1` })).toMatchObject({ json: { code: 1 } })
    expect(await used()).toEqual(charged(price + 25_000))
    expect(service.queries.every(({ key: shownKey }) => shownKey === 'mj-key')).toBe(true)
  })

  it('that fails is refunded to user, key and channel once, however the failure arrives', async () => {
    const before = await used()
    const id = await imagine()
    const forged = { id, status: 'FAILURE', failReason: 'give it back', progress: '100%' }
    expect((await call('/mj/notify', forged)).status).toBe(200)
    expect((await drawing(id))?.status).toBe('SUBMITTED')
    service.move(id, { status: 'FAILURE', failReason: 'banned prompt' })
    await Promise.all(Array.from({ length: 8 }, () => call('/mj/notify', { id })))
    expect(await drawing(id)).toMatchObject({ status: 'FAILURE', progress: '100%', fail_reason: 'banned prompt' })
    expect(await used()).toEqual(before)
    expect(await channelUsed('draws')).toBe(price + 25_000)
    expect((await logs(4)).map(({ content }) => content)).toEqual([`构图失败 ${id}，补偿 ＄0.100000 额度`])
    const charges = await logs(2)
    expect(charges[0]).toMatchObject({
      content: `模型固定价格 0.10，分组倍率 1.00，操作 IMAGINE，ID ${id}`,
      quota: price,
      model_name: 'mj_imagine',
    })
  })

  it('that the service refuses costs nothing and is in the log of drawings', async () => {
    const before = await used()
    service.refusal = { code: 24, description: '可能包含敏感词' }
    expect((await call('/mj/submit/imagine', { prompt: 'x' })).json).toEqual({
      code: 24,
      description: '可能包含敏感词',
    })
    const [row] = await soon(
      () => customer.must<Drawing[]>('GET', '/api/mj/self'),
      ([newest]) => newest?.code === 24,
    )
    expect(row).toMatchObject({ code: 24, status: 'FAILURE', quota: 0 })
    expect(await used()).toEqual(before)
  })
})

describe('a song', () => {
  it('is followed to its end, and paid back where it fails', async () => {
    const before = await used()
    const begin = async (): Promise<string> => {
      const { json } = await call('/suno/submit/music', { gpt_description_prompt: 'rain' })
      expect(json.code).toBe('success')
      return String(json.data)
    }
    const [good, bad] = [await begin(), await begin()]
    service.move(good, { status: 'SUCCESS', data: [{ audio_url: 'https://cdn.example/a.mp3' }] })
    service.move(bad, { status: 'FAILURE', fail_reason: 'no credit' })
    const rows = await soon(
      () => operator.must<Task[]>('GET', '/api/task/'),
      (tasks) => tasks.every(({ progress }) => progress === '100%'),
    )
    expect(rows.map(({ task_id, status, action, platform }) => [task_id, status, action, platform])).toEqual([
      [bad, 'FAILURE', 'MUSIC', 'suno'],
      [good, 'SUCCESS', 'MUSIC', 'suno'],
    ])
    expect(await call(`/suno/fetch/${good}`)).toMatchObject({
      json: { code: 'success', data: { status: 'SUCCESS', data: [{ audio_url: 'https://cdn.example/a.mp3' }] } },
    })
    expect((await used())[1]).toBe((before[1] ?? 0) + price)
    expect((await logs(4))[0]?.content).toBe(`异步任务执行失败 ${bad}，补偿 ＄0.100000 额度`)
  })
})

it('leaves books that add up, also after a kill in the middle', async () => {
  const ids = await Promise.all([imagine(), imagine()])
  await site.kill()
  await site.restart()
  operator = await signIn(site.url)
  customer = await signIn(site.url, 'draws', 'battery-staple')
  for (const id of ids) expect(await drawing(id)).toMatchObject({ quota: price })
  const command = join(import.meta.dirname, '../server/src/ledger/verify/verify-command.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [command], {
    env: { ...process.env, DATA_DIR: site.directory },
  })
  expect(stdout).toContain(': 0 differences.')
})
