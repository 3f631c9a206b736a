import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { completion } from '#server-test/support/gateway/upstream.ts'
import { chatLine } from '../../tests/batch-scene.ts'
import { type FakeInline, type InlineLine, openFakeInline, openrouterApi } from '../../tests/fake-inline.ts'
import { batchCost, namesOf, openProviderScene, type ProviderScene, tokensOf } from '../../tests/provider-scene.ts'

const model = 'openai/gpt-4o'
const paid = namesOf(5).filter((name) => name !== 'name-2')

const resultOf = ({ request }: InlineLine): object => {
  const text = /name-\d+/.exec(JSON.stringify(request))?.[0] ?? ''
  if (text === 'name-2') return { error: { type: 'invalid_request', message: 'bad', param: null } }
  const { prompt, completion: output } = tokensOf(text)
  const usage = { prompt_tokens: prompt, completion_tokens: output, total_tokens: prompt + output }
  return { response: { status_code: 200, request_id: null, body: { ...completion(`to ${text}`), model, usage } } }
}

describeEachEngine('batches at OpenRouter', (open) => {
  let database: Database
  let batch: ProviderScene
  let provider: FakeInline
  let bodies: unknown[]

  beforeEach(async () => {
    database = await open()
    bodies = []
    provider = openFakeInline(openrouterApi(resultOf))
    batch = await openProviderScene(
      database,
      (call) => {
        if (call.method === 'POST') bodies.push(JSON.parse(call.body.toString()))
        provider.answer(call)
      },
      { type: 20 },
      { below: '/api' },
    )
  })
  afterEach(() => batch.close())

  const create = async (models: readonly string[] = namesOf(5).map(() => model)): Promise<string> => {
    const file = await batch.file(models.map((name, index) => chatLine(`name-${index}`, { model: name })))
    const asked = { input_file_id: file, endpoint: '/v1/chat/completions', completion_window: '24h' }
    return (await batch.call('POST', '/v1/batches', asked)).json.id
  }
  const done = async (id: string) => (await batch.call('GET', `/v1/batches/${id}`)).json

  it('are submitted once, with the model beside their requests, and each line is charged once', async () => {
    const id = await create()
    await batch.submitted()
    const mark = id.slice(6)
    expect(bodies).toHaveLength(1)
    expect(bodies[0]).toMatchObject({ endpoint: '/v1/chat/completions', model })
    expect(Object.keys(bodies[0] as object)).toEqual(['endpoint', 'model', 'requests'])
    const [first] = (bodies[0] as { requests: { custom_id: string; body: object }[] }).requests
    expect(first).toMatchObject({ custom_id: `line-1_${mark}`, body: { messages: [{ content: 'name-0' }] } })
    expect(first?.body).not.toHaveProperty('model')
    provider.finish()
    await batch.ended()
    expect(await done(id)).toMatchObject({ status: 'completed', request_counts: { total: 5, completed: 4, failed: 1 } })
    expect(await batch.charges()).toEqual({ count: 4, quota: batchCost(paid) })
    expect(await batch.row()).toMatchObject({ is_open: 0, held: 0 })
  })

  it('are found by the names of their results where the submission has no answer', async () => {
    provider.beSilent()
    provider.addStranger('stranger', ['a', 'b', 'c', 'd', 'e'], 'ended')
    const id = await create()
    await expect.poll(() => provider.batches.length, { timeout: 20_000 }).toBe(2)
    provider.finish()
    await batch.ended()
    expect(await done(id)).toMatchObject({ status: 'completed', request_counts: { total: 5, completed: 4, failed: 1 } })
    expect(provider.batches).toHaveLength(2)
    expect(await batch.charges()).toEqual({ count: 4, quota: batchCost(paid) })
  })

  it('are followed to their end where they are cancelled, as nothing ends them: all that was done is delivered', async () => {
    const id = await create()
    await batch.submitted()
    await batch.call('POST', `/v1/batches/${id}/cancel`)
    let looks = 0
    const answer = batch.scene.upstream.answer
    batch.scene.upstream.answer = (call) => {
      looks += 1
      if (looks > 2) provider.finish('ended', 2)
      answer(call)
    }
    await batch.ended()
    expect(await done(id)).toMatchObject({ status: 'cancelled', request_counts: { total: 5, completed: 2 } })
    expect(await batch.charges()).toEqual({ count: 2, quota: batchCost(['name-0', 'name-1']) })
    expect(provider.cancelled).toBe(0)
  })

  it('of several models are made line by line', async () => {
    await create([model, 'openai/gpt-4o-mini'])
    await expect.poll(() => batch.runner(), { timeout: 20_000 }).toBe('own')
    expect(provider.batches).toEqual([])
  })
})
