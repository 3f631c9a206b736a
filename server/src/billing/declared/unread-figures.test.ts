import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readUsage as anthropicUsage } from '../../dialects/anthropic/answer.ts'
import { readUsage as bedrockUsage } from '../../dialects/bedrock/answer.ts'
import { readUsage as cohereUsage } from '../../dialects/cohere/answer.ts'
import { readUsage as geminiUsage } from '../../dialects/gemini/answer.ts'
import { noUsage, type Usage } from '../usage.ts'
import { usageFromOpenai } from '../usage-openai.ts'
import { UsageReports, widestLimits } from '../usage-reports.ts'
import { unknownMembers } from './unknown-members.ts'

/** Figures in forms and places in which their readers do not look: they are read all the same, or the call is marked. */

type Reader = (report: unknown) => Usage | undefined

const reports: readonly (readonly [string, Reader, object])[] = [
  [
    'openai',
    usageFromOpenai,
    {
      prompt_tokens: 9000,
      completion_tokens: 800,
      total_tokens: 9800,
      prompt_tokens_details: { cached_tokens: 4000, cache_write_tokens: 1000, audio_tokens: 300, image_tokens: 200 },
      completion_tokens_details: { reasoning_tokens: 100, audio_tokens: 500 },
    },
  ],
  [
    'anthropic',
    anthropicUsage,
    {
      input_tokens: 100,
      output_tokens: 10,
      cache_read_input_tokens: 700,
      cache_creation_input_tokens: 5000,
      cache_creation: { ephemeral_5m_input_tokens: 1000, ephemeral_1h_input_tokens: 4000 },
      server_tool_use: { web_search_requests: 5 },
    },
  ],
  [
    'gemini',
    geminiUsage,
    {
      promptTokenCount: 100,
      candidatesTokenCount: 1300,
      thoughtsTokenCount: 5000,
      toolUsePromptTokenCount: 50,
      cachedContentTokenCount: 20,
      candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 1290 }],
      totalTokenCount: 6450,
    },
  ],
  [
    'bedrock',
    bedrockUsage,
    {
      inputTokens: 10,
      outputTokens: 20,
      totalTokens: 3030,
      cacheReadInputTokens: 1000,
      cacheWriteInputTokens: 2000,
      cacheDetails: [{ ttl: '1h', inputTokens: 2000 }],
    },
  ],
  ['cohere', cohereUsage, { tokens: { input_tokens: 100, output_tokens: 20 }, cached_tokens: 30 }],
]

/** The report with each of its numbers changed by `change`. */
const withNumbers = (value: unknown, change: (count: number, path: string) => unknown, path = ''): unknown => {
  if (typeof value === 'number') return change(value, path)
  if (Array.isArray(value)) return value.map((each) => withNumbers(each, change, path))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withNumbers(inner, change, `${path}.${name}`)]),
  )
}

const pathsOf = (report: object): string[] => {
  const paths: string[] = []
  withNumbers(report, (_, path) => paths.push(path))
  return paths
}

describe.each(reports)('the usage of %s', (_, read, report) => {
  const plain = read(report)

  it('is certain', () => expect(plain?.unknown).toBeUndefined())

  it('is the same with its counts as texts', () => {
    expect(read(withNumbers(report, String))).toEqual(plain)
  })

  it('is the same with any of its counts as texts', () => {
    const paths = fc.subarray(pathsOf(report))
    fc.assert(
      fc.property(paths, (chosen) => {
        const mixed = withNumbers(report, (count, path) => (chosen.includes(path) ? String(count) : count))
        expect(read(mixed)).toEqual(plain)
      }),
    )
  })

  it('says less of a count in another form only with a mark', () => {
    const forms = fc.constantFrom<(count: number) => unknown>(
      (count) => [count],
      (count) => ({ text: count }),
      (count) => `${count} tokens`,
      (count) => [{ count }],
    )
    fc.assert(
      fc.property(fc.constantFrom(...pathsOf(report)), forms, (changed, form) => {
        const other = read(withNumbers(report, (count, path) => (path === changed ? form(count) : count)))
        // Malformed totals are counted instead, and a total that says nothing leaves its parts.
        if (other === undefined || /\.total|^\.(?:prompt|completion)_tokens$/.test(changed)) return
        const { unknown, ...counts } = other
        if (unknown === undefined) expect(counts).toEqual(plain)
      }),
    )
  })
})

it('counts numbers in texts of members that nobody declares', () => {
  const usage = usageFromOpenai({ prompt_tokens: 1000, completion_tokens: 900, hyper_tokens: '90000' })
  expect(usage?.unknown).toMatchObject([{ name: 'hyper_tokens', count: 90_000 }])
})

it('keeps what nobody declares where the totals are malformed', () => {
  const usage = usageFromOpenai({ prompt_tokens: -1, completion_tokens: 9, hyper_tokens: 500 })
  expect(usage).toMatchObject({ ...noUsage, unknown: [{ name: 'hyper_tokens', count: 500 }] })
})

it('leaves no member out, however many there are', () => {
  const texts = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`note_${at}`, 'x']))
  const unknown = unknownMembers('openai', { prompt_tokens: 1, ...texts, a_tokens: 90_000, b_tokens: 500 }) ?? []
  expect(unknown.length).toBeLessThanOrEqual(21)
  expect(unknown.reduce((sum, { count }) => sum + count, 0)).toBe(90_500)
})

it('marks a list of details, and an object where a list is read', () => {
  const details = { prompt_tokens: 1000, completion_tokens: 900, completion_tokens_details: [{ audio_tokens: 800 }] }
  expect(usageFromOpenai(details)?.unknown).toMatchObject([{ count: 800 }])
  const iterations = { type: 'compaction', input_tokens: 180_000, output_tokens: 3500 }
  const usage = anthropicUsage({ input_tokens: 100, output_tokens: 10, iterations })
  expect(usage?.unknown?.reduce((sum, { count }) => sum + count, 0)).toBe(183_500)
})

it('marks parts beyond their sums where no total confirms the sums', () => {
  const counts = { prompt_tokens: 100, completion_tokens: 10 }
  const cached = { ...counts, prompt_tokens_details: { cached_tokens: 5000 } }
  const thought = { ...counts, completion_tokens_details: { reasoning_tokens: 5000 } }
  expect(usageFromOpenai(cached)?.unknown).toMatchObject([{ count: 4900 }])
  expect(usageFromOpenai(thought)?.unknown).toMatchObject([{ count: 4990 }])
  expect(usageFromOpenai({ ...cached, total_tokens: 110 })?.unknown).toBeUndefined()
})

it('takes the larger of two names for one count', () => {
  const usage = usageFromOpenai({ prompt_tokens: 10, input_tokens: 100_000, completion_tokens: 9, output_tokens: 90 })
  expect(usage).toMatchObject({ input: 100_000, output: 90 })
})

describe('a total that its parts do not explain', () => {
  const open = { promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 5110 }
  const closed = { ...open, thoughtsTokenCount: 5000 }

  it('marks the rest', () => {
    expect(geminiUsage(open)?.unknown).toMatchObject([{ name: 'totalTokenCount', count: 5000 }])
    expect(bedrockUsage({ inputTokens: 10, outputTokens: 5, totalTokens: 4015 })?.unknown).toMatchObject([
      { name: 'totalTokens', count: 4000 },
    ])
  })

  it('is charged once where an undeclared member holds the rest', () => {
    expect(geminiUsage({ ...open, hyperTokenCount: 5000 })?.unknown).toMatchObject([{ name: 'hyperTokenCount' }])
  })

  it('is taken back by a later report that adds up', () => {
    const notes = new UsageReports(widestLimits)
    for (const report of [open, closed]) notes.note(geminiUsage(report))
    expect(notes.best).toMatchObject({ input: 100, output: 5010 })
    expect(notes.best?.unknown).toBeUndefined()
  })
})

it('reads an answer that Gemini calls a response, as in sessions', () => {
  const usage = geminiUsage({
    promptTokenCount: 100,
    responseTokenCount: 1300,
    responseTokensDetails: [{ modality: 'IMAGE', tokenCount: 1290 }],
    totalTokenCount: 1400,
  })
  expect(usage).toMatchObject({ output: 10, more: { image_output: 1290 } })
})
