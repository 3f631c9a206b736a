import { expect, it } from 'vitest'
import { noUsage, promptTokens } from './usage.ts'
import { resolveDoubt, UsageReports } from './usage-reports.ts'

const limits = { prompt: 1000, completion: 1000 }

it('carries pictures and sound of the prompt and of the answer with the report they belong to', () => {
  const reports = new UsageReports(limits)
  reports.note({ ...noUsage, input: 10, more: { image_input: 500, audio_cache_read: 5 } })
  reports.note({ ...noUsage, input: 1, output: 2, more: { image_output: 300 } })
  expect(reports.best).toEqual({
    ...noUsage,
    input: 10,
    output: 2,
    more: { image_input: 500, audio_cache_read: 5, image_output: 300 },
  })
})

it('keeps what measures said before a report without them', () => {
  const reports = new UsageReports(limits)
  reports.note({ ...noUsage, input: 10, measures: { duration: 4000 } })
  reports.note({ ...noUsage, input: 10, output: 3 })
  expect(reports.best).toMatchObject({ output: 3, measures: { duration: 4000 } })
})

it('never believes the measures of a prompt that it does not believe', () => {
  const reports = new UsageReports(limits)
  reports.note({ ...noUsage, input: 9_000_000, output: 7, measures: { duration: 540_000_000 } })
  const { best, doubted } = reports
  expect(best).toEqual({ ...noUsage, output: 7 })
  const counted = { ...noUsage, input: 1000, measures: { duration: 60_000 } }
  const { usage, estimated } = resolveDoubt({ best, doubted: doubted ?? noUsage }, counted)
  expect(usage).toEqual({ ...counted, output: 7, disputed: { prompt_tokens: 9_000_000 } })
  expect(estimated).toBe(true)
})

it('bills the pictures of a large prompt that a count confirms', () => {
  const reports = new UsageReports(limits)
  reports.note({ ...noUsage, input: 500, more: { image_input: 2000 } })
  const { best, doubted } = reports
  const { usage } = resolveDoubt({ best, doubted: doubted ?? noUsage }, { ...noUsage, input: 400 })
  expect(usage).toEqual({ ...noUsage, input: 500, more: { image_input: 2000 } })
  expect(promptTokens(usage)).toBe(2500)
})
