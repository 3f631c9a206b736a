import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { chatLine } from '../../tests/batch-scene.ts'
import { anthropicApi, type FakeInline, geminiApi, type InlineLine, openFakeInline } from '../../tests/fake-inline.ts'
import { batchCost, namesOf, openProviderScene, type ProviderScene, tokensOf } from '../../tests/provider-scene.ts'

/** The text of a line, wherever its dialect has it. */
const textOf = ({ request }: InlineLine): string => /name-\d+/.exec(JSON.stringify(request))?.[0] ?? ''

const claudeResult = (line: InlineLine): object => {
  const text = textOf(line)
  if (text === 'name-2')
    return {
      type: 'errored',
      error: { type: 'error', error: { type: 'invalid_request_error', message: 'bad' }, request_id: null },
    }
  const { prompt, completion } = tokensOf(text)
  return {
    type: 'succeeded',
    message: {
      id: `msg_${text}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-opus-4-5',
      content: [{ type: 'text', text: `to ${text}` }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: prompt, output_tokens: completion, service_tier: 'batch' },
    },
  }
}

/** Makes answers longer. */
let padding = ''

const geminiResult = (line: InlineLine): object => {
  const text = textOf(line)
  if (text === 'name-2') return { error: { code: 3, message: 'bad' } }
  const { prompt, completion } = tokensOf(text)
  return {
    response: {
      candidates: [
        { content: { role: 'model', parts: [{ text: `to ${text}${padding}` }] }, finishReason: 'STOP', index: 0 },
      ],
      usageMetadata: {
        promptTokenCount: prompt,
        candidatesTokenCount: completion,
        totalTokenCount: prompt + completion,
      },
      modelVersion: 'gemini-2.5-pro',
    },
  }
}

const paid = namesOf(5).filter((name) => name !== 'name-2')

describeEachEngine('batches that other providers run', (open) => {
  let database: Database
  let scene: ProviderScene | undefined
  let provider: FakeInline

  beforeEach(async () => {
    padding = ''
    database = await open()
  })
  afterEach(async () => {
    await scene?.close()
    scene = undefined
  })

  const openAt = async (type: 14 | 24): Promise<ProviderScene> => {
    provider = openFakeInline(type === 14 ? anthropicApi(claudeResult) : geminiApi(geminiResult))
    scene = await openProviderScene(database, provider.answer, { type })
    return scene
  }
  const ofOpenai = async ({ file, call }: ProviderScene, model: string): Promise<string> => {
    const input = await file(namesOf(5).map((name) => chatLine(name, { model, max_tokens: 60 })))
    const asked = { input_file_id: input, endpoint: '/v1/chat/completions', completion_window: '24h' }
    return (await call('POST', '/v1/batches', asked)).json.id
  }
  const ofAnthropic = async ({ call }: ProviderScene, model: string): Promise<string> => {
    const requests = namesOf(5).map((name) => ({
      custom_id: name,
      params: { model, max_tokens: 60, messages: [{ role: 'user', content: name }] },
    }))
    return (await call('POST', '/v1/messages/batches', { requests })).json.id
  }
  const anthropicResults = async ({ call }: ProviderScene, id: string) => {
    const { text } = await call('GET', `/v1/messages/batches/${id}/results`)
    const lines = text.trim().split('\n')
    return lines.map((line) => JSON.parse(line)).sort((left, right) => left.custom_id.localeCompare(right.custom_id))
  }
  const openaiResults = async ({ call, textOf: read }: ProviderScene, id: string) => {
    const { json: done } = await call('GET', `/v1/batches/${id}`)
    const linesIn = async (file: string) =>
      (await read(file))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    const output = await linesIn(done.output_file_id)
    output.sort((left, right) => left.custom_id.localeCompare(right.custom_id))
    return { done, output, errors: await linesIn(done.error_file_id) }
  }
  /** The provider does all lines, and the bill is theirs at the price of batches. */
  const settled = async (at: ProviderScene): Promise<void> => {
    await at.submitted()
    expect(provider.batches).toHaveLength(1)
    expect(provider.batches[0]?.lines.map(({ name }) => name.split('_', 1)[0])).toEqual(
      [1, 2, 3, 4, 5].map((line) => `line-${line}`),
    )
    provider.finish()
    await at.ended()
    expect(await at.charges()).toEqual({ count: 4, quota: batchCost(paid) })
    expect(await at.row()).toMatchObject({ is_open: 0, held: 0 })
    expect(await at.runner()).toBe('provider')
  }

  it('of Anthropic at Anthropic', async () => {
    const at = await openAt(14)
    const id = await ofAnthropic(at, 'claude-opus-4-5')
    await settled(at)
    expect(provider.batches[0]?.lines[0]?.request).toMatchObject({ model: 'claude-opus-4-5', max_tokens: 60 })
    const results = await anthropicResults(at, id)
    expect(results.map(({ custom_id, result }) => [custom_id, result.type])).toEqual(
      namesOf(5).map((name) => [name, name === 'name-2' ? 'errored' : 'succeeded']),
    )
    expect(results[0].result.message).toMatchObject({ id: 'msg_name-0', content: [{ text: 'to name-0' }] })
    expect(results[2].result.error).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } })
  })

  it('of OpenAI at Anthropic: requests and answers are translated', async () => {
    const at = await openAt(14)
    const id = await ofOpenai(at, 'claude-opus-4-5')
    await settled(at)
    expect(provider.batches[0]?.lines[0]?.request).toMatchObject({ model: 'claude-opus-4-5', max_tokens: 60 })
    const { done, output, errors } = await openaiResults(at, id)
    expect(done.request_counts).toEqual({ total: 5, completed: 4, failed: 1 })
    expect(done.usage).toMatchObject({ input_tokens: 408, output_tokens: 200, total_tokens: 608 })
    expect(output.map(({ custom_id }) => custom_id)).toEqual(paid)
    expect(output[0].response.body).toMatchObject({
      object: 'chat.completion',
      choices: [{ message: { role: 'assistant', content: 'to name-0' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 100, completion_tokens: 50 },
    })
    expect(errors).toMatchObject([{ custom_id: 'name-2', response: { status_code: 400 } }])
  })

  it('of Gemini at Gemini', async () => {
    const at = await openAt(24)
    const requests = namesOf(5).map((name) => ({
      request: { contents: [{ role: 'user', parts: [{ text: name }] }] },
      metadata: { key: `my ${name}` },
    }))
    const asked = { batch: { display_name: 'mine', input_config: { requests: { requests } } } }
    const made = await at.call('POST', '/v1beta/models/gemini-2.5-pro:batchGenerateContent', asked)
    await settled(at)
    expect(provider.batches[0]?.path).toBe('/v1beta/models/gemini-2.5-pro:batchGenerateContent')
    const { json } = await at.call('GET', `/v1beta/${made.json.name}`)
    const responses = json.metadata.output.inlinedResponses.inlinedResponses
    expect(responses.map(({ metadata }: { metadata: object }) => metadata)).toEqual(
      namesOf(5).map((name) => ({ key: `my ${name}` })),
    )
    expect(responses[0].response.candidates[0].content.parts).toEqual([{ text: 'to name-0' }])
    expect(responses[2].error).toMatchObject({ code: 400 })
  })

  it('of Anthropic at Gemini: requests and answers are translated', async () => {
    const at = await openAt(24)
    const id = await ofAnthropic(at, 'gemini-2.5-pro')
    await settled(at)
    const results = await anthropicResults(at, id)
    expect(results[0].result).toMatchObject({
      type: 'succeeded',
      message: { type: 'message', content: [{ type: 'text', text: 'to name-0' }], usage: { input_tokens: 100 } },
    })
    expect(results[2].result).toMatchObject({ type: 'errored', error: { type: 'error' } })
  })

  it('have results in the object that are many times larger than what an answer may be', async () => {
    const at = await openAt(24)
    const id = await ofOpenai(at, 'gemini-2.5-pro')
    await at.submitted()
    padding = 'x'.repeat(3_000_000)
    provider.finish()
    await at.ended()
    const { done, output } = await openaiResults(at, id)
    expect(done.request_counts).toEqual({ total: 5, completed: 4, failed: 1 })
    expect(output.every(({ response }) => response.body.choices[0].message.content.length > padding.length)).toBe(true)
    expect(await at.charges()).toEqual({ count: 4, quota: batchCost(paid) })
  })

  it('of OpenAI at Gemini deliver what was done when they are cancelled', async () => {
    const at = await openAt(24)
    const id = await ofOpenai(at, 'gemini-2.5-pro')
    await at.submitted()
    await at.call('POST', `/v1/batches/${id}/cancel`)
    await at.askedToEnd(provider)
    provider.finish('cancelled', 2)
    await at.ended()
    const { done, output, errors } = await openaiResults(at, id)
    expect(done).toMatchObject({ status: 'cancelled', request_counts: { total: 5, completed: 2, failed: 0 } })
    expect(output.map(({ custom_id }) => custom_id)).toEqual(['name-0', 'name-1'])
    expect(errors.map(({ error }) => error.code)).toEqual(Array.from({ length: 3 }, () => 'batch_cancelled'))
    expect(await at.charges()).toEqual({ count: 2, quota: batchCost(['name-0', 'name-1']) })
  })

  it('charge what was done for a key that is gone by then', async () => {
    const at = await openAt(14)
    await ofAnthropic(at, 'claude-opus-4-5')
    await at.submitted()
    at.scene.gateway.tokens.delete('good')
    provider.finish()
    await at.ended()
    expect(await at.charges()).toEqual({ count: 4, quota: batchCost(paid) })
  })
})
