import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import type { RelayChannel } from '#server/relay/ports.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { completion } from '#server-test/support/gateway/upstream.ts'
import { chatLine } from '../../tests/batch-scene.ts'
import { type FakeForm, mistralForm, openaiForm, xaiForm } from '../../tests/fake-forms.ts'
import { type FakeOpenai, openFakeOpenai } from '../../tests/fake-openai.ts'
import { batchCost, namesOf, openProviderScene, type ProviderScene, tokensOf } from '../../tests/provider-scene.ts'

interface Provider {
  readonly model: string
  readonly channel: Partial<RelayChannel>
  /** Path below the upstream's address that the channel's address has. */
  readonly below?: string
  readonly form: FakeForm
  /** The request that makes a batch. */
  readonly asks: (mark: string) => object
  /** A line's `url`; absent where lines have none. */
  readonly url?: string
  readonly purpose?: string
}

const inOneDay = { input_file_id: 'file-at-provider-1', completion_window: '24h' }

const mistral: Provider = {
  model: 'mistral-large-latest',
  channel: { type: 42 },
  form: mistralForm,
  asks: (mark) => ({
    input_files: ['file-at-provider-1'],
    endpoint: '/v1/chat/completions',
    model: 'mistral-large-latest',
    timeout_hours: 24,
    metadata: { tollgate_batch: mark },
  }),
}

const providers: Readonly<Record<string, Provider>> = {
  Groq: {
    model: 'llama-3.3-70b-versatile',
    channel: { type: 1 },
    below: '/openai',
    form: openaiForm('/openai/v1'),
    asks: (mark) => ({ ...inOneDay, endpoint: '/v1/chat/completions', metadata: { tollgate_batch: mark } }),
    url: '/v1/chat/completions',
  },
  Azure: {
    model: 'gpt-4o',
    channel: { type: 3, other: 'v1' },
    form: openaiForm('/openai/v1'),
    asks: (mark) => ({ ...inOneDay, endpoint: '/v1/chat/completions', metadata: { tollgate_batch: mark } }),
    url: '/v1/chat/completions',
  },
  Alibaba: {
    model: 'qwen-plus',
    channel: { type: 17 },
    form: openaiForm('/compatible-mode/v1'),
    asks: (mark) => ({ ...inOneDay, endpoint: '/v1/chat/completions', metadata: { ds_name: mark } }),
    url: '/v1/chat/completions',
  },
  Zhipu: {
    model: 'glm-4-plus',
    channel: { type: 26 },
    form: openaiForm('/api/paas/v4'),
    asks: (mark) => ({
      input_file_id: 'file-at-provider-1',
      endpoint: '/v4/chat/completions',
      auto_delete_input_file: true,
      metadata: { tollgate_batch: mark },
    }),
    url: '/v4/chat/completions',
  },
  Moonshot: {
    model: 'kimi-k2.5',
    channel: { type: 25 },
    form: openaiForm(),
    asks: (mark) => ({ ...inOneDay, endpoint: '/v1/chat/completions', metadata: { tollgate_batch: mark } }),
    url: '/v1/chat/completions',
  },
  Mistral: mistral,
  xAI: {
    model: 'grok-4',
    channel: { type: 48 },
    form: xaiForm,
    asks: (mark) => ({ name: mark, input_file_id: 'file-at-provider-1' }),
    url: '/v1/chat/completions',
    purpose: '',
  },
}
const named = Object.entries(providers)
/** One of each form of objects. */
const forms = named.filter(([name]) => ['Alibaba', 'Mistral', 'xAI'].includes(name))
const paid = namesOf(5).filter((name) => name !== 'name-2')

describeEachEngine('batches of providers with files of lines', (open) => {
  let database: Database
  let batch: ProviderScene
  let fake: FakeOpenai

  beforeEach(async () => {
    database = await open()
  })
  afterEach(() => batch.close())

  const openAt = async ({ form, model, channel, below }: Provider): Promise<void> => {
    fake = openFakeOpenai((_, body) => {
      const [{ content }] = body.messages as [{ content: string }]
      if (content === 'name-2') return { status: 400, body: { error: { message: 'bad' } } }
      const { prompt, completion: output } = tokensOf(content)
      const usage = { prompt_tokens: prompt, completion_tokens: output, total_tokens: prompt + output }
      return { status: 200, body: { ...completion(`to ${content}`), model, usage } }
    }, form)
    batch = await openProviderScene(database, fake.answer, channel, { below })
  }
  const create = async (models: readonly string[]): Promise<string> => {
    const file = await batch.file(models.map((model, index) => chatLine(`name-${index}`, { model })))
    const asked = { input_file_id: file, endpoint: '/v1/chat/completions', completion_window: '24h' }
    return (await batch.call('POST', '/v1/batches', asked)).json.id
  }
  const done = async (id: string) => (await batch.call('GET', `/v1/batches/${id}`)).json

  it.each(named)('%s: submitted once, and each line is charged once in the tier of batches', async (_, provider) => {
    await openAt(provider)
    const { model, asks, url, purpose = 'batch' } = provider
    const id = await create(namesOf(5).map(() => model))
    await batch.submitted()
    expect(fake.purposes).toEqual([purpose])
    const [made] = [...fake.batches.values()]
    expect(made?.asked).toEqual(asks(id.slice(6)))
    expect(made?.lines[0]).toMatchObject({ custom_id: 'line-1', body: { model, messages: [{ content: 'name-0' }] } })
    expect(made?.lines[0]).toEqual({
      custom_id: 'line-1',
      ...(url !== undefined && { method: 'POST', url }),
      body: made?.lines[0]?.body,
    })
    fake.finish()
    await batch.ended()
    expect(await done(id)).toMatchObject({
      status: 'completed',
      request_counts: { total: 5, completed: 4, failed: 1 },
    })
    expect(await batch.charges()).toEqual({ count: 4, quota: batchCost(paid) })
    expect(await batch.row()).toMatchObject({ is_open: 0, held: 0 })
    expect(await batch.runner()).toBe('provider')
    expect(fake.batches.size).toBe(1)
  })

  it.each(forms)('%s: what was done is delivered and charged when it is cancelled', async (_, provider) => {
    await openAt(provider)
    const id = await create(namesOf(5).map(() => provider.model))
    await batch.submitted()
    await batch.call('POST', `/v1/batches/${id}/cancel`)
    await batch.askedToEnd(fake)
    fake.finish('cancelled', 2)
    await batch.ended()
    expect(await done(id)).toMatchObject({
      status: 'cancelled',
      request_counts: { total: 5, completed: 2, failed: 0 },
    })
    expect(await batch.charges()).toEqual({ count: 2, quota: batchCost(['name-0', 'name-1']) })
  })

  it.each(forms)('%s: a submission without an answer is found by its name, and never repeated', async (_, provider) => {
    await openAt(provider)
    fake.beSilent()
    await create(namesOf(5).map(() => provider.model))
    await expect.poll(() => fake.batches.size, { timeout: 20_000 }).toBe(1)
    fake.finish()
    await batch.ended()
    expect(fake.batches.size).toBe(1)
    expect(await batch.charges()).toEqual({ count: 4, quota: batchCost(paid) })
  })

  it('of several models are not for a provider whose batches have one', async () => {
    await openAt(mistral)
    await create(['mistral-large-latest', 'mistral-small-latest'])
    await expect.poll(() => batch.runner(), { timeout: 20_000 }).toBe('own')
    expect(fake.purposes).toEqual([])
    expect(batch.logged).toContainEqual([
      'batch_left_to_runner',
      expect.objectContaining({ cause: 'its lines have several models' }),
    ])
  })
})
