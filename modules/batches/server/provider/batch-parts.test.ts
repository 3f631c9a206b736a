import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { completion } from '#server-test/support/gateway/upstream.ts'
import { chatLine } from '../../tests/batch-scene.ts'
import { type FakeOpenai, openFakeOpenai } from '../../tests/fake-openai.ts'
import { batchCost, namesOf, openProviderScene, type ProviderScene, tokensOf } from '../../tests/provider-scene.ts'
import { kindNamed } from './kinds/index.ts'

const kind = kindNamed('openai')
const usual = kind?.mostLines

describeEachEngine('a batch above the bound of its provider', (open) => {
  let database: Database
  let batch: ProviderScene
  let provider: FakeOpenai

  beforeEach(async () => {
    Object.assign(kind ?? {}, { mostLines: 2 })
    database = await open()
    provider = openFakeOpenai((_, body) => {
      const [{ content }] = body.messages as [{ content: string }]
      const { prompt, completion: output } = tokensOf(content)
      const usage = { prompt_tokens: prompt, completion_tokens: output, total_tokens: prompt + output }
      return { status: 200, body: { ...completion(`to ${content}`), model: 'gpt-4o', usage } }
    })
    batch = await openProviderScene(database, provider.answer)
  })
  afterEach(async () => {
    Object.assign(kind ?? {}, { mostLines: usual })
    await batch.close()
  })

  const create = async (): Promise<string> => {
    const file = await batch.file(namesOf(5).map((name) => chatLine(name)))
    const asked = { input_file_id: file, endpoint: '/v1/chat/completions', completion_window: '24h' }
    return (await batch.call('POST', '/v1/batches', asked)).json.id
  }
  const parts = () => [...provider.batches.values()]
  const namesIn = () => parts().map(({ lines }) => lines.map(({ custom_id }) => custom_id))
  /** Moves the clock until the provider has so many batches. */
  const begun = (count: number) =>
    expect
      .poll(
        () => {
          batch.pass(15)
          return provider.batches.size
        },
        { timeout: 30_000, interval: 300 },
      )
      .toBe(count)

  it('is made in several of them, one after the other, and each line is charged once', async () => {
    const id = await create()
    await batch.submitted()
    expect(await batch.row()).toMatchObject({ first_line: 1, last_line: 2 })
    provider.finish()
    await begun(2)
    provider.finish()
    await begun(3)
    provider.finish()
    await batch.ended()
    expect(namesIn()).toEqual([['line-1', 'line-2'], ['line-3', 'line-4'], ['line-5']])
    expect(parts().map(({ metadata }) => metadata)).toEqual(
      ['', '-3', '-5'].map((end) => ({ tollgate_batch: id.slice(6) + end })),
    )
    expect((await batch.call('GET', `/v1/batches/${id}`)).json).toMatchObject({
      status: 'completed',
      request_counts: { total: 5, completed: 5, failed: 0 },
    })
    expect(await batch.charges()).toEqual({ count: 5, quota: batchCost(namesOf(5)) })
    expect(await batch.row()).toMatchObject({ is_open: 0, held: 0, last_line: 0 })
  })

  it('ends with the part that is there when it is cancelled', async () => {
    const id = await create()
    await batch.submitted()
    provider.finish()
    await begun(2)
    await batch.call('POST', `/v1/batches/${id}/cancel`)
    await batch.askedToEnd(provider)
    provider.finish('cancelled', 1)
    await batch.ended()
    expect(provider.batches.size).toBe(2)
    expect((await batch.call('GET', `/v1/batches/${id}`)).json).toMatchObject({
      status: 'cancelled',
      request_counts: { total: 5, completed: 3, failed: 0 },
    })
    expect(await batch.charges()).toEqual({ count: 3, quota: batchCost(['name-0', 'name-1', 'name-2']) })
  })

  it('whose later part got no answer is found by the name of that part', async () => {
    await create()
    await batch.submitted()
    provider.beSilent()
    provider.finish()
    await begun(2)
    await expect.poll(async () => (await batch.row())?.stage, { timeout: 20_000 }).toBe('submitting')
    await expect
      .poll(
        async () => {
          batch.pass(40)
          return (await batch.row())?.upstream_id
        },
        { timeout: 20_000, interval: 300 },
      )
      .toBe('batch_at_provider_2')
    provider.finish()
    await begun(3)
    provider.finish()
    await batch.ended()
    expect(namesIn()).toEqual([['line-1', 'line-2'], ['line-3', 'line-4'], ['line-5']])
    expect(await batch.charges()).toEqual({ count: 5, quota: batchCost(namesOf(5)) })
  })

  it('goes on with its later parts in another process', async () => {
    const id = await create()
    await batch.submitted()
    provider.finish()
    await begun(2)
    const listener = batch.gatewayKit
    batch.scene.gateway.listener.endSessions('soon')
    const second = batch.another('two')
    const ownCalls = { ...listener.ownCalls, ending: new AbortController().signal }
    second.useGateway({ ...listener, ownCalls })
    provider.finish()
    await begun(3)
    provider.finish()
    await batch.ended()
    await second.close()
    expect(namesIn()).toEqual([['line-1', 'line-2'], ['line-3', 'line-4'], ['line-5']])
    expect((await batch.call('GET', `/v1/batches/${id}`)).json.request_counts).toEqual({
      total: 5,
      completed: 5,
      failed: 0,
    })
    expect(await batch.charges()).toEqual({ count: 5, quota: batchCost(namesOf(5)) })
  })
})
