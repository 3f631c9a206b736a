import type { CallList, DataOf, listReconciledCalls } from '@tollgate/contract'
import { expect, it, onTestFinished } from 'vitest'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { json, openTestUpstream } from '#server-test/support/gateway/upstream.ts'
import { day, firstDay, type LoggedCall, openTestReconciliation } from '../tests/compared-site.ts'
import { mostAskedCalls } from './calls/sample-calls.ts'

/** 400 tokens, 600 cached and 100 more: $0.00275. */
const usage = { input: 400, cacheRead: 600, output: 100 }
const idOf = (index: number): string => `gen-1762300800-${index}`
const ourCall = (index: number): LoggedCall => ({
  model: 'gpt-4o',
  upstream: 'openai/gpt-4o',
  usage,
  at: firstDay + index * 60,
  providerId: idOf(index),
})

/** An answer of openrouter.ai/api/v1/generation, members that are not read included. */
const generation = {
  id: '',
  upstream_id: 'chatcmpl-RpyL88Ca8K6TiYlxBWgZcDml',
  created_at: '2026-11-05T00:00:00.705Z',
  model: 'openai/gpt-4o',
  provider_name: 'OpenAI',
  is_byok: false,
  streamed: true,
  tokens_prompt: 990,
  tokens_completion: 97,
  native_tokens_prompt: 1_000,
  native_tokens_completion: 100,
  native_tokens_reasoning: 40,
  native_tokens_cached: 600,
  cache_discount: 0.00075,
  usage: 0.00275,
  total_cost: 0.00275,
  upstream_inference_cost: 0,
}
type Answer = Partial<{ -readonly [name in keyof typeof generation]: unknown }>

const key = 'sk-or-v1-0123456789abcdef'

describeEachEngine('OpenRouter, asked call by call,', (open) => {
  const asked = async (own: readonly LoggedCall[], answerOf: (id: string) => Answer | number) => {
    const provider = await openTestUpstream()
    onTestFinished(() => provider.close())
    provider.answer = (call) => {
      const { pathname, searchParams } = new URL(call.path, provider.url)
      expect([pathname, call.headers.authorization]).toEqual(['/api/v1/generation', `Bearer ${key}`])
      const id = searchParams.get('id') ?? ''
      const answer = answerOf(id)
      if (typeof answer === 'number') json({ error: { code: answer, message: 'Generation not found' } }, answer)(call)
      else json({ data: { ...generation, id, ...answer } })(call)
    }
    const desk = await openTestReconciliation(await open())
    await desk.log(...own)
    const { id } = await desk.addSource({ kind: 'openrouter_calls', base_url: provider.url, key })
    const result = await desk.import(id)
    const listed = (list: CallList): Promise<DataOf<typeof listReconciledCalls>> =>
      desk.data('GET', `/api/reconciliation/imports/${result.id}/calls?list=${list}`)
    return { result, listed, provider }
  }

  it('and telling the truth agrees with every call', async () => {
    const { result, provider } = await asked([0, 1, 2].map(ourCall), () => ({}))
    expect(result).toMatchObject({
      status: 'done',
      lines: 3,
      difference: '0',
      causes: [],
      calls: { ids: 'matched', matched: 3, here: 0, there: 0, different: 0, unnamed: 0, unasked: 0 },
    })
    expect(provider.received).toHaveLength(3)
  })

  it('has a call named that it charges more for, counts otherwise, bills without the cache, or does not know', async () => {
    const lies = new Map<string, Answer | number>([
      [idOf(1), { total_cost: 0.0055 }],
      [idOf(2), { native_tokens_completion: 150, total_cost: 0.00325 }],
      [idOf(3), { native_tokens_cached: 0, total_cost: 0.0035 }],
      [idOf(4), 404],
    ])
    const { result, listed } = await asked([0, 1, 2, 3, 4].map(ourCall), (id) => lies.get(id) ?? {})
    expect(result.calls).toMatchObject({ matched: 4, here: 1, there: 0, different: 3 })
    expect((await listed('different')).items).toMatchObject([
      { provider_request_id: idOf(1), causes: [{ cause: 'price_changed', amount: '0.00275', factor: '2' }] },
      { provider_request_id: idOf(2), causes: [{ cause: 'tokens_differ', amount: '0.0005' }] },
      { provider_request_id: idOf(3), causes: [{ cause: 'cache_ignored', amount: '0.00075' }] },
    ])
    expect((await listed('here')).items).toMatchObject([
      { provider_request_id: idOf(4), theirs: null, causes: [{ cause: 'missing_there' }] },
    ])
  })

  it('counts what a provider behind charges for a key of one’s own', async () => {
    const own = { is_byok: true, total_cost: 0.0001375, upstream_inference_cost: 0.0026125 }
    const { result } = await asked([ourCall(0)], () => own)
    expect(result).toMatchObject({ theirs_cost: '0.00275', causes: [] })
  })

  it('is asked about its own ids only, and the rest is counted', async () => {
    const { providerId: _, ...unnamed } = ourCall(1)
    const elsewhere = { ...ourCall(2), providerId: 'chatcmpl-9' }
    const { result, provider } = await asked([ourCall(0), unnamed, elsewhere], () => ({}))
    expect(provider.received).toHaveLength(1)
    expect(result.calls).toMatchObject({ matched: 1, here: 0, unnamed: 2, unasked: 0 })
    expect(result.days).toMatchObject([{ ours: { calls: 1 }, theirs: { calls: 1 }, causes: [] }])
  })

  it('is asked about some of many calls, which alone are compared', async () => {
    const many = Array.from({ length: mostAskedCalls + 2 }, (_, index) => ourCall(index))
    const { result, provider } = await asked(many, () => ({}))
    const half = mostAskedCalls / 2 + 1
    expect(provider.received).toHaveLength(half)
    expect(result.calls).toMatchObject({ matched: half, here: 0, unasked: half })
    expect(result.days).toMatchObject([{ ours: { calls: half }, causes: [] }])
  })

  it('keeps what it answered before it limited requests', async () => {
    const { result } = await asked([0, 1, 2].map(ourCall), (id) => (id === idOf(1) ? 429 : {}))
    expect(result).toMatchObject({ status: 'done', lines: 1, calls: { matched: 1, here: 0, unasked: 2 } })
  })

  it('knows no call of another account, which is said', async () => {
    const { result } = await asked([0, 1].map(ourCall), () => 404)
    expect(result.status).toBe('failed')
    expect(result.error).toContain('2')
    const none = await asked([], () => ({}))
    expect(none.result).toMatchObject({ status: 'failed', calls: null })
  })

  it('refuses a key without a trace of it', async () => {
    const { result } = await asked([ourCall(0)], () => 401)
    expect(result.status).toBe('failed')
    expect(result.error).not.toContain(key)
  })

  it('has calls on the day of the site where it began them before midnight', async () => {
    const late = { ...ourCall(0), at: firstDay + day }
    const { result } = await asked([late], () => ({ created_at: '2026-11-05T23:59:59Z' }))
    expect(result.days).toMatchObject([{ day: firstDay + day, causes: [] }])
  })
})
