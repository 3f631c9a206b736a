import type { Webhook, WebhookDelivery } from '@tollgate/contract'
import OpenAI from 'openai'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { openAudit } from '#server/features/audit/audit.ts'
import { createWebhookPost } from '#server/features/notices/webhook.ts'
import { type JobEnd, type JobEnds, jobOutcomes, openJobEnds } from '#server/jobs/job-ends.ts'
import type { JobRunner } from '#server/jobs/runner.ts'
import { openSecrets } from '#server/lib/security/secrets.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { openReceiver, type Receiver, testAuthority, testEgress } from '#server-test/support/features/receiver.ts'
import { type SignedIn, signedIn } from '#server-test/support/features/signed-in.ts'
import { webhookEvents } from '../contract.ts'
import { openDelivering } from './deliver.ts'
import { type Deliveries, type DeliveryRow, openDeliveries } from './deliveries.ts'
import { openEndpoints } from './endpoints.ts'
import { webhookRoutes } from './routes.ts'

const secrets = openSecrets({ cryptoSecret: 'webhook test', keyFile: '' })
const maker = { userId: 7, projectId: 0, memberId: 0 }
const done: JobEnd = { kind: 'response', id: 'resp_1', outcome: 'completed', maker }

describe('ends of jobs', () => {
  it('have an event each', () => {
    const ends = Object.entries(jobOutcomes).flatMap(([kind, outcomes]) =>
      outcomes.map((outcome) => `${kind}.${outcome}`),
    )
    expect([...webhookEvents].sort()).toEqual(ends.sort())
  })
})

describeEachEngine('webhooks of users', (open) => {
  let database: Database
  let receiver: Receiver
  let ends: JobEnds
  let deliveries: Deliveries
  let delivering: JobRunner<DeliveryRow>
  let call: SignedIn
  let other: SignedIn
  let now = Date.now()
  const clock = (): number => now
  const outcomes: string[] = []

  const openNode = () => {
    const made = openDeliveries({ database, clock })
    const running = openDelivering({
      deliveries: made,
      secrets,
      post: createWebhookPost({
        egress: testEgress(),
        operatorEgress: testEgress(),
        worker: () => undefined,
        ca: testAuthority,
      }),
      attempted: (outcome) => void outcomes.push(outcome),
      failed: (error) => {
        throw error
      },
      clock,
    })
    return { made, running }
  }

  beforeAll(async () => {
    database = await open()
  })
  beforeEach(async () => {
    now = Date.now()
    outcomes.length = 0
    await database.query.deleteFrom('webhook_endpoints').execute()
    await database.query.deleteFrom('webhook_deliveries').execute()
    receiver = await openReceiver()
    ends = openJobEnds()
    const node = openNode()
    deliveries = node.made
    delivering = node.running
    ends.listen({ write: deliveries.write, ended: () => {} })
    const audit = openAudit(database, clock)
    const endpoints = openEndpoints({ database, secrets, egress: testEgress(), audit, clock })
    const limiter = { take: () => true }
    const as = (id: number): SignedIn =>
      signedIn((on) => webhookRoutes(on, { endpoints, deliveries, limiter, clock, wake: () => {} }), { id })
    call = as(7)
    other = as(8)
  })
  afterEach(async () => {
    await delivering.stop()
    await receiver.close()
  })

  const fields = (more: object = {}) => ({
    name: 'mine',
    url: receiver.url,
    events: ['response.completed', 'batch.failed'],
    enabled: true,
    ...more,
  })
  const add = async (more: object = {}): Promise<Webhook & { secret: string }> =>
    (await call('POST', '/api/webhooks', fields(more))).json.data as Webhook & { secret: string }
  const list = async (id: number): Promise<WebhookDelivery[]> =>
    (await call('GET', `/api/webhooks/${id}/deliveries`)).json.data as WebhookDelivery[]
  const first = (): { body: string; headers: Record<string, string> } => {
    const [call = { body: '', headers: {} }] = receiver.received
    return { body: call.body, headers: call.headers as Record<string, string> }
  }
  const end = (job: JobEnd): Promise<void> => database.transaction((trx) => ends.write(trx, job))
  const work = async (seconds = 0): Promise<void> => {
    now += seconds * 1000
    await delivering.work()
  }

  it('are verified by the official SDK, and come once for an end that is written twice', async () => {
    const { id, secret } = await add()
    await end(done)
    await end(done)
    await work()
    expect(receiver.received).toHaveLength(1)
    const { body, headers } = first()
    const client = new OpenAI({ apiKey: 'none', webhookSecret: secret })
    const event = await client.webhooks.unwrap(body, headers)
    expect(event).toMatchObject({ object: 'event', type: 'response.completed', data: { id: 'resp_1' } })
    expect(event.id).toBe(headers['webhook-id'])
    await expect(client.webhooks.unwrap(`${body} `, headers)).rejects.toThrow('signature')
    expect(await list(id)).toMatchObject([
      { event: 'response.completed', object_id: 'resp_1', state: 'delivered', attempts: 1, status: 200, error: null },
    ])
    expect(outcomes).toEqual(['delivered'])
  })

  it('are written with the end, or not at all', async () => {
    const { id } = await add()
    const undone = database.transaction(async (trx) => {
      await ends.write(trx, done)
      throw new Error('the end is undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await list(id)).toEqual([])
  })

  it('go to the endpoints of the person whose key it was, for the events that they name', async () => {
    const { id } = await add()
    const { id: offId } = await add({ enabled: false })
    await end({ ...done, outcome: 'failed' })
    await end({ ...done, maker: { userId: 7, projectId: 3, memberId: 0 } })
    await end({ ...done, maker: { userId: 9, projectId: 3, memberId: 8 } })
    expect(await list(id)).toEqual([])
    await end({ kind: 'batch', id: 'batch_1', outcome: 'failed', maker: { userId: 9, projectId: 3, memberId: 7 } })
    expect(await list(id)).toMatchObject([{ event: 'batch.failed', object_id: 'batch_1', state: 'waiting' }])
    expect(await list(offId)).toEqual([])
  })

  it('are repeated with growing pauses under one id, by another process, too', async () => {
    const { id } = await add()
    receiver.state.answer = { status: 500 }
    await end(done)
    await work()
    await work(9)
    expect(receiver.received).toHaveLength(1)
    expect(await list(id)).toMatchObject([
      { state: 'waiting', attempts: 1, status: 500, error: { code: 'notice_answered' } },
    ])
    await work(1)
    await work(29)
    expect(receiver.received).toHaveLength(2)
    await delivering.stop()
    const node = openNode()
    receiver.state.answer = { status: 204 }
    now += 1000
    await node.running.work()
    await node.running.stop()
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(await list(id)).toMatchObject([{ state: 'delivered', attempts: 3, status: 204, error: null }])
  })

  it('are delivered after the process died in the middle of an attempt', async () => {
    const { id } = await add()
    await end(done)
    const [row] = await deliveries.jobs.due(1)
    expect(row && (await deliveries.jobs.claim(row))).toBeDefined()
    await work(59)
    expect(receiver.received).toEqual([])
    await work(1)
    expect(await list(id)).toMatchObject([{ state: 'delivered', attempts: 2 }])
  })

  it('are given up after three days, and sent again on request under the same id', async () => {
    const { id } = await add()
    receiver.state.answer = { status: 500 }
    await end(done)
    for (let hours = 0; hours < 80; hours += 5) await work(5 * 3600)
    const [failed] = await list(id)
    expect(failed).toMatchObject({ state: 'failed', status: 500 })
    expect(outcomes.at(-1)).toBe('given_up')
    const before = receiver.received.length
    await work(86_400)
    expect(receiver.received).toHaveLength(before)
    receiver.state.answer = { status: 200 }
    await call('POST', `/api/webhooks/${id}/deliveries/${failed?.id}`)
    await work()
    expect(receiver.received.at(-1)?.headers['webhook-id']).toBe(failed?.event_id)
    expect(await list(id)).toMatchObject([{ state: 'delivered', attempts: 1 }])
  })

  it('that one endpoint does not take wait together', async () => {
    await add()
    receiver.state.answer = { status: 500 }
    for (let number = 0; number < 20; number += 1) await end({ ...done, id: `resp_${number}` })
    await work()
    // Two at a time; the failure of the first moves all that have not begun.
    expect(receiver.received.length).toBeLessThanOrEqual(4)
    receiver.state.answer = { status: 200 }
    await work(30)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(20)
  })

  it('are tried with a test event, unless the endpoint is off', async () => {
    const { id, ...endpoint } = await add()
    await call('POST', `/api/webhooks/${id}/test`)
    await work()
    expect(JSON.parse(first().body)).toMatchObject({ type: 'response.completed', data: { id: 'test' } })
    await call('PUT', `/api/webhooks/${id}`, { ...fields(), name: endpoint.name, enabled: false })
    expect((await call('POST', `/api/webhooks/${id}/test`)).json.code).toBe('webhook_off')
  })

  it('have a secret that is shown once, encrypted, and replaced', async () => {
    const { id, secret } = await add()
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const stored = await database.query.selectFrom('webhook_endpoints').selectAll().executeTakeFirstOrThrow()
    expect(JSON.stringify(stored)).not.toContain(secret)
    expect((await call('GET', '/api/webhooks')).text).not.toContain('whsec_')
    const rotated = (await call('POST', `/api/webhooks/${id}/secret`)).json.data as { secret: string }
    expect(rotated.secret).not.toBe(secret)
    await end(done)
    await work()
    const { body, headers } = first()
    const verify = (webhookSecret: string) =>
      new OpenAI({ apiKey: 'none', webhookSecret }).webhooks.unwrap(body, headers)
    await expect(verify(secret)).rejects.toThrow('signature')
    expect(await verify(rotated.secret)).toMatchObject({ type: 'response.completed' })
  })

  it('are of their owner alone, few, and at public https addresses', async () => {
    const { id } = await add()
    await call('POST', `/api/webhooks/${id}/test`)
    const [delivery] = await list(id)
    const tries = [
      ['PUT', `/api/webhooks/${id}`, fields()],
      ['DELETE', `/api/webhooks/${id}`],
      ['POST', `/api/webhooks/${id}/secret`],
      ['POST', `/api/webhooks/${id}/test`],
      ['GET', `/api/webhooks/${id}/deliveries`],
      ['POST', `/api/webhooks/${id}/deliveries/${delivery?.id}`],
    ] as const
    for (const [method, path, body] of tries)
      expect((await other(method, path, body)).json, path).toMatchObject({ code: 'webhook_not_found' })
    const { id: second } = await add()
    expect((await call('POST', `/api/webhooks/${second}/deliveries/${delivery?.id}`)).json.code).toBe(
      'webhook_delivery_not_found',
    )
    const refused = async (url: string) => (await call('POST', '/api/webhooks', fields({ url }))).json.code
    expect(await refused('http://mail.test/hook')).toBe('webhook_url_invalid')
    expect(await refused('https://inside.test/hook')).toBe('address_blocked')
    for (let count = 2; count < 10; count += 1) await add()
    expect((await call('POST', '/api/webhooks', fields())).json.code).toBe('webhooks_full')
    await call('DELETE', `/api/webhooks/${id}`)
    const rows = await database.query.selectFrom('webhook_deliveries').selectAll().execute()
    expect(rows.filter(({ endpoint_id }) => endpoint_id === id)).toEqual([])
  })
})
