import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { completion, type Received } from '#server-test/support/gateway/upstream.ts'
import { chatLine } from '../../tests/batch-scene.ts'
import { type FakeInline, geminiApi, openFakeInline } from '../../tests/fake-inline.ts'
import { type FakeOpenai, openFakeOpenai } from '../../tests/fake-openai.ts'
import { namesOf, openProviderScene, type ProviderScene } from '../../tests/provider-scene.ts'
import { openBatchNudges } from '../stored/nudges.ts'

const serverAddress = 'https://gate.example.com'

describeEachEngine('a provider that calls when a batch has ended', (open) => {
  let database: Database
  let batch: ProviderScene

  beforeEach(async () => {
    database = await open()
  })
  afterEach(() => batch.close())

  const create = async (model: string): Promise<void> => {
    const file = await batch.file(namesOf(2).map((name) => chatLine(name, { model })))
    const asked = { input_file_id: file, endpoint: '/v1/chat/completions', completion_window: '24h' }
    await batch.call('POST', '/v1/batches', asked)
    await batch.submitted()
    await waits()
  }
  const row = () => database.query.selectFrom('batches').selectAll().executeTakeFirstOrThrow()
  /** Resolves when no runner has the batch, and its next look is far away. */
  const waits = () =>
    expect
      .poll(
        async () => {
          const { next_time, wait_time } = await row()
          return next_time === wait_time
        },
        { timeout: 20_000 },
      )
      .toBe(true)
  /** Without the clock being moved: the next look by itself is half a minute away. */
  const endsAtOnce = () =>
    expect.poll(async () => (await row()).state, { timeout: 15_000, interval: 100 }).toBe('completed')

  const openGemini = async (site: string | undefined, refuse?: (call: Received) => boolean): Promise<FakeInline> => {
    const provider = openFakeInline(
      geminiApi(() => ({
        response: {
          candidates: [{ content: { role: 'model', parts: [{ text: 'ok' }] }, finishReason: 'STOP', index: 0 }],
          usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 50, totalTokenCount: 150 },
        },
      })),
    )
    const answer = (call: Received): void => {
      if (refuse?.(call) !== true) provider.answer(call)
      else call.response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"code":400}}')
    }
    batch = await openProviderScene(database, answer, { type: 24 }, { serverAddress: site })
    return provider
  }
  const webhooks = (): unknown[] =>
    batch.scene.upstream.received
      .filter(({ path }) => path.includes(':batchGenerateContent'))
      .map(({ body }) => JSON.parse(body.toString()).batch.webhookConfig)
  const addressIn = (webhook: unknown): string[] => {
    const [, kind = '', token = ''] = /\/hooks\/jobs\/(\w+)\/(.+)$/.exec((webhook as { uris: [string] }).uris[0]) ?? []
    return [kind, token]
  }

  it('is asked at once at Gemini, whose request has the address of the batch', async () => {
    const provider = await openGemini(serverAddress)
    await create('gemini-2.5-pro')
    const [given] = webhooks()
    const { object_id } = await row()
    expect(given).toEqual({ uris: [batch.jobHooks.addressOf('batch', object_id)] })
    provider.finish()
    const [kind = '', token = ''] = addressIn(given)
    expect(await batch.jobHooks.nudgeFor(kind, token)?.()).toBe(true)
    await endsAtOnce()
    expect((await batch.charges()).count).toBe(2)
    expect(await batch.jobHooks.nudgeFor(kind, token)?.()).toBe(true)
    expect((await row()).state).toBe('completed')
  })

  it('gets no address from a site without a public one', async () => {
    await openGemini(undefined)
    await create('gemini-2.5-pro')
    expect(webhooks()).toEqual([undefined])
  })

  it('has the batch without the address where it refuses that', async () => {
    await openGemini(serverAddress, ({ body }) => body.toString().includes('webhookConfig'))
    await create('gemini-2.5-pro')
    expect(webhooks()).toEqual([expect.anything(), undefined])
    expect(await batch.runner()).toBe('provider')
  })

  describe('OpenAI', () => {
    let provider: FakeOpenai

    beforeEach(async () => {
      const usage = { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 }
      provider = openFakeOpenai(() => ({ status: 200, body: { ...completion('ok'), model: 'gpt-4o', usage } }))
      batch = await openProviderScene(database, provider.answer, {}, { serverAddress })
      await create('gpt-4o')
    })
    const looks = (): number =>
      batch.scene.upstream.received.filter(({ path }) => path === '/v1/batches/batch_at_provider_1').length
    const called = (id: string, channel = 5, { accounts } = { accounts: batch.channelHooks }) => {
      const token = accounts.addressOf(channel)?.split('/').at(-1) ?? ''
      return accounts.nudgeFor(token)?.(id)
    }

    it('is asked at once about the batch that a webhook of its account names, by the node that has the runner', async () => {
      const { hooks, accounts, batches } = batch.answering()
      provider.finish()
      await called('batch_at_provider_1', 5, { accounts })
      await endsAtOnce()
      expect((await batch.charges()).count).toBe(2)
      expect(hooks.addressOf('batch', 'x')).toBe(batch.jobHooks.addressOf('batch', 'x'))
      await batches.close()
    })

    it('is not asked for batches of other channels, nor for ids that nothing has', async () => {
      await called('batch_at_provider_1', 6)
      await called('batch_of_others')
      await called(`${'x'.repeat(150)}\0`)
      expect((await row()).nudged_time).toBe(0)
    })

    it('is not asked more often than every five seconds, whatever calls come', async () => {
      await called('batch_at_provider_1')
      await expect.poll(looks, { timeout: 15_000 }).toBe(1)
      await waits()
      const { nudged_time: first } = await row()
      await Promise.all(Array.from({ length: 20 }, () => called('batch_at_provider_1')))
      const { nudged_time: next, next_time } = await row()
      expect(next - first).toBe(5)
      expect(next_time).toBe(next)
    })

    it('is asked again where it calls while a runner has the batch, which goes on undisturbed', async () => {
      const { id, nudged_time } = await row()
      const lease = Math.floor(Date.now() / 1000) + 15
      await database.query.updateTable('batches').set({ next_time: lease }).where('id', '=', id).execute()
      await called('batch_at_provider_1')
      const nudged = await row()
      expect(nudged.next_time).toBe(lease)
      expect(nudged.nudged_time).toBeGreaterThan(0)
      const { wait } = openBatchNudges(database, Date.now)
      expect(await wait({ id, nudged_time }, { until: lease - 1 }, lease + 60)).toBe(false)
      provider.finish()
      expect(await wait({ id, nudged_time }, { until: lease }, lease + 60)).toBe(true)
      await endsAtOnce()
    })
  })
})
