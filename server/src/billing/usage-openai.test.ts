import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cachedTokens, completionTokens, mostReported, noUsage, promptTokens, type Usage } from './usage.ts'
import { usageFromOpenai } from './usage-openai.ts'

describe('usage objects', () => {
  it.each<[string, object, Partial<Usage>]>([
    ['a plain chat', { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 }, { input: 9, output: 3 }],
    [
      'cached and audio tokens',
      {
        prompt_tokens: 100,
        completion_tokens: 50,
        prompt_tokens_details: { cached_tokens: 40, audio_tokens: 20 },
        completion_tokens_details: { reasoning_tokens: 10, audio_tokens: 15 },
      },
      { input: 40, cacheRead: 40, audioInput: 20, output: 35, audioOutput: 15, reasoning: 10 },
    ],
    [
      'the responses dialect',
      {
        input_tokens: 20,
        output_tokens: 8,
        total_tokens: 28,
        input_tokens_details: { cached_tokens: 5 },
        output_tokens_details: { reasoning_tokens: 6 },
      },
      { input: 15, cacheRead: 5, output: 8, reasoning: 6 },
    ],
    [
      'the realtime dialect, with audio from the cache counted once',
      {
        input_tokens: 100,
        output_tokens: 30,
        total_tokens: 130,
        input_token_details: { audio_tokens: 80, cached_tokens: 60, cached_tokens_details: { audio_tokens: 60 } },
        output_token_details: { audio_tokens: 20 },
      },
      { input: 20, audioInput: 20, output: 10, audioOutput: 20, more: { audio_cache_read: 60 } },
    ],
    [
      'pictures of the images dialect, in prompt and answer',
      {
        input_tokens: 221,
        output_tokens: 1318,
        total_tokens: 1539,
        input_tokens_details: { text_tokens: 27, image_tokens: 194 },
        output_tokens_details: { text_tokens: 262, image_tokens: 1056 },
      },
      { input: 27, output: 262, more: { image_input: 194, image_output: 1056 } },
    ],
    [
      'sound and pictures of which some came from the cache',
      {
        input_tokens: 100,
        output_tokens: 1,
        input_token_details: {
          audio_tokens: 30,
          image_tokens: 40,
          cached_tokens: 50,
          cached_tokens_details: { text_tokens: 15, audio_tokens: 10, image_tokens: 25 },
        },
      },
      {
        input: 15,
        cacheRead: 15,
        audioInput: 20,
        output: 1,
        more: { audio_cache_read: 10, image_cache_read: 25, image_input: 15 },
      },
    ],
    [
      'DashScope, with a film in the prompt',
      { prompt_tokens: 90, completion_tokens: 2, prompt_tokens_details: { text_tokens: 10, video_tokens: 80 } },
      { input: 10, output: 2, more: { video_input: 80 } },
    ],
    [
      'parts of the prompt that together are more than the prompt',
      {
        prompt_tokens: 50,
        completion_tokens: 1,
        prompt_tokens_details: { cached_tokens: 20, audio_tokens: 20, image_tokens: 99, video_tokens: 5 },
      },
      { cacheRead: 20, audioInput: 20, output: 1, more: { image_input: 10 } },
    ],
    ['an embedding', { prompt_tokens: 8, total_tokens: 8 }, { input: 8 }],
    ['nulls', { prompt_tokens: 8, completion_tokens: null, prompt_tokens_details: null }, { input: 8 }],
    [
      'DeepSeek',
      { prompt_tokens: 30, completion_tokens: 4, prompt_cache_hit_tokens: 10, prompt_cache_miss_tokens: 20 },
      { input: 20, cacheRead: 10, output: 4 },
    ],
    [
      'Moonshot',
      { prompt_tokens: 30, completion_tokens: 4, cached_tokens: 10 },
      { input: 20, cacheRead: 10, output: 4 },
    ],
    [
      'xAI, whose completion leaves reasoning out',
      {
        prompt_tokens: 165,
        completion_tokens: 2,
        total_tokens: 292,
        completion_tokens_details: { reasoning_tokens: 125 },
      },
      { input: 165, output: 127, reasoning: 125 },
    ],
    [
      'Gemini, which leaves reasoning out of completion and details',
      { prompt_tokens: 66, completion_tokens: 6, total_tokens: 100 },
      { input: 66, output: 34 },
    ],
    [
      'Mistral, whose prompt leaves audio out',
      { prompt_tokens: 9, completion_tokens: 248, total_tokens: 632, prompt_tokens_details: { audio_tokens: 375 } },
      { input: 9, audioInput: 375, output: 248 },
    ],
    [
      'OpenRouter cache writes',
      {
        prompt_tokens: 2649,
        completion_tokens: 100,
        total_tokens: 2749,
        prompt_tokens_details: { cached_tokens: 2569, cache_write_tokens: 79 },
      },
      { input: 1, cacheRead: 2569, cacheWrite: 79, output: 100 },
    ],
    [
      'OpenAI’s cache writes of both lifetimes',
      {
        input_tokens: 10_000,
        output_tokens: 100,
        total_tokens: 10_100,
        input_tokens_details: {
          cached_tokens: 1000,
          cache_write_tokens: 8000,
          cache_write_tokens_details: { ttl_12h_tokens: 6000, ttl_30m_tokens: 2000 },
        },
      },
      { input: 1000, cacheRead: 1000, cacheWrite: 2000, cacheWrite1h: 6000, output: 100 },
    ],
    [
      'details beyond the sums they belong to',
      {
        prompt_tokens: 23,
        completion_tokens: 10,
        total_tokens: 33,
        prompt_tokens_details: { cached_tokens: 190 },
        completion_tokens_details: { reasoning_tokens: 11 },
      },
      { cacheRead: 23, output: 10, reasoning: 10 },
    ],
    [
      'broken details',
      { prompt_tokens: 9, completion_tokens: 3, prompt_tokens_details: { cached_tokens: -4 }, total_tokens: 'many' },
      { input: 9, output: 3 },
    ],
  ])('are read from %s', (_, value, usage) => {
    expect(usageFromOpenai(value)).toEqual({ ...noUsage, ...usage })
  })

  it.each([
    [undefined],
    [null],
    ['12'],
    [{}],
    [{ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }],
    [{ prompt_tokens: 'twelve', completion_tokens: 3 }],
    [{ prompt_tokens: -12, completion_tokens: 3 }],
    [{ prompt_tokens: 1.5, completion_tokens: 3 }],
    [{ total_tokens: 12 }],
  ])('are not read from %j', (value) => expect(usageFromOpenai(value)).toBeUndefined())

  it('are capped at the largest count', () => {
    expect(usageFromOpenai({ prompt_tokens: 12, completion_tokens: 1e300 })).toMatchObject({
      input: 12,
      output: mostReported,
    })
    expect(usageFromOpenai(JSON.parse('{"prompt_tokens":1e999,"completion_tokens":3}'))).toMatchObject({
      input: mostReported,
      output: 3,
    })
  })

  it('never give a negative part, nor parts beyond their sums', () => {
    const count = fc.option(fc.nat(1000), { nil: undefined })
    const parts = { audio_tokens: count, image_tokens: count, video_tokens: count }
    const details = fc.record({
      cached_tokens: count,
      cached_tokens_details: fc.record(parts),
      ...parts,
      cache_write_tokens: count,
      reasoning_tokens: count,
    })
    const value = fc.record({
      prompt_tokens: count,
      completion_tokens: count,
      total_tokens: count,
      prompt_tokens_details: details,
      completion_tokens_details: details,
    })
    fc.assert(
      fc.property(value, (report) => {
        const usage = usageFromOpenai(report) ?? noUsage
        const parts = [usage, usage.more ?? {}].flatMap((counts) => Object.values(counts))
        expect(parts.filter((part) => Number(part) < 0)).toEqual([])
        const stated = Math.max((report.prompt_tokens ?? 0) + (report.completion_tokens ?? 0), report.total_tokens ?? 0)
        expect(promptTokens(usage) + completionTokens(usage)).toBeLessThanOrEqual(stated)
      }),
    )
  })
})

interface Recorded {
  readonly id: string
  readonly format: string
  readonly file: string
  readonly usage: {
    prompt?: number
    completion?: number
    total?: number
    cached?: number
    cache_write?: number
    reasoning?: number
  }
}

const folder = new URL('../../../../shared/wire/', import.meta.url)
const isThere = existsSync(folder)
const formats = ['openai.chat', 'openai.completions', 'openai.embeddings', 'openai.responses']
const index: Recorded[] = isThere ? JSON.parse(readFileSync(new URL('index.json', folder), 'utf8')) : []
const recordings = index.filter(({ format, usage }) => formats.includes(format) && (usage.prompt ?? 0) > 0)

const dataOf = (event: string): unknown => {
  const text = event.split(/\r?\n/).flatMap((line) => (line.startsWith('data:') ? [line.slice(5)] : []))
  try {
    return JSON.parse(text.join('\n'))
  } catch {
    return undefined
  }
}

const usageIn = (value: unknown): unknown => {
  const body = Object(value)
  return body.usage ?? Object(body.response).usage ?? Object(body.x_groq).usage
}

/** Usage of the whole answer: of a stream, the last one stated. */
const statedUsage = ({ file }: Recorded): unknown => {
  const { response } = JSON.parse(readFileSync(new URL(file, folder), 'utf8'))
  const answers = response.body === undefined ? (response.sse ?? []).map(dataOf) : [response.body]
  return answers.map(usageIn).findLast((usage: unknown) => usage !== undefined && usage !== null)
}

describe.skipIf(!isThere)(`recorded answers${isThere ? '' : ' (skipped: ../shared/wire is absent)'}`, () => {
  it('are many', () => expect(recordings.length).toBeGreaterThan(200))

  it.each(recordings.map((recording) => [recording.id, recording] as const))('%s is read as stated', (_, recording) => {
    const usage = usageFromOpenai(statedUsage(recording))
    const { prompt = 0, completion = 0, total = prompt + completion, cached, cache_write } = recording.usage
    expect(usage && promptTokens(usage) + completionTokens(usage)).toBe(total)
    if (usage?.audioInput === 0) expect(promptTokens(usage)).toBe(prompt)
    if (cached !== undefined) expect(usage && cachedTokens(usage)).toBe(Math.min(cached, prompt))
    if (cache_write !== undefined) expect(usage?.cacheWrite).toBe(Math.min(cache_write, prompt - (cached ?? 0)))
    expect(usage?.reasoning).toBe(Math.min(recording.usage.reasoning ?? 0, usage?.output ?? 0))
  })
})

it("reads what was written to Qwen's explicit cache, which stands in the details of the prompt", () => {
  const details = { cached_tokens: 0, cache_creation_input_tokens: 8000, cache_type: 'ephemeral' }
  const report = { prompt_tokens: 10_000, completion_tokens: 100, prompt_tokens_details: details }
  expect(usageFromOpenai(report)).toMatchObject({ input: 2000, cacheRead: 0, cacheWrite: 8000, output: 100 })
})
