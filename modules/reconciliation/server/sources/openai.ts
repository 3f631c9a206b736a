import { z } from 'zod'
import { AppError } from '#server/lib/app-error.ts'
import { dayOf, daySeconds, money, openLines, type Period, type ReportLine, reportLine } from '../report.ts'
import { readPages, withHeaders } from './pages.ts'
import type { ReportApi } from './source.ts'

/** platform.openai.com/docs/api-reference/usage: buckets of a day (UTC). */
const page = <T extends z.ZodType>(result: T) =>
  z.object({
    data: z.array(z.object({ start_time: z.int(), results: z.array(result) })),
    has_more: z.boolean().nullish(),
    next_page: z.string().nullish(),
  })

const tokens = z.int().min(0).nullish()

/** `input_tokens` counts cached tokens and tokens written to the cache, too. */
const usageResult = z.object({
  model: z.string().nullish(),
  num_model_requests: z.int().min(0),
  input_tokens: tokens,
  input_cached_tokens: tokens,
  input_cache_write_tokens: tokens,
  output_tokens: tokens,
})

const costResult = z.object({
  line_item: z.string().nullish(),
  amount: z.object({ value: z.union([z.number(), z.string()]).nullish(), currency: z.string().nullish() }).nullish(),
})

const usagePage = page(usageResult)
const costPage = page(costResult)

const queryOf = ({ from, until }: Period, groupBy: string, projects: readonly string[]): URLSearchParams => {
  const query = new URLSearchParams({
    start_time: String(from),
    end_time: String(until + daySeconds),
    bucket_width: '1d',
    limit: '31',
  })
  query.append('group_by[]', groupBy)
  for (const project of projects) query.append('project_ids[]', project)
  return query
}

/** `priority | gpt-4o-2024-08-06, cached input` → `gpt-4o-2024-08-06`; empty for items such as `web search tool calls`. */
export const modelOfLineItem = (item: string): string => {
  const [model = '', kind] = item.replace(/^[^|]*\|\s*/, '').split(',')
  return kind === undefined ? '' : (model.trim().split(' ')[0] ?? '')
}

const usageLine = (day: number, result: z.output<typeof usageResult>): ReportLine => {
  const cacheRead = result.input_cached_tokens ?? null
  const cacheWrite = result.input_cache_write_tokens ?? null
  return reportLine({
    day,
    model: result.model ?? '',
    calls: result.num_model_requests,
    input: Math.max(0, (result.input_tokens ?? 0) - (cacheRead ?? 0) - (cacheWrite ?? 0)),
    cacheRead,
    cacheWrite,
    output: result.output_tokens ?? 0,
  })
}

/** Undefined for items that cost nothing. */
const costLine = (day: number, { line_item, amount }: z.output<typeof costResult>): ReportLine | undefined => {
  const value = amount?.value ?? 0
  if (Number(value) === 0) return undefined
  const currency = amount?.currency ?? 'usd'
  if (currency.toLowerCase() !== 'usd') throw new AppError('report_currency', { params: { currency } })
  return reportLine({ day, model: modelOfLineItem(line_item ?? ''), cost: money(value) })
}

/** The usage of these endpoints has tokens of the shape above. */
const usageKinds = ['completions', 'embeddings'] as const

/** Tokens and calls come from the usage API, dollars from the costs API; both need an admin key. */
export const openaiReport: ReportApi = {
  baseUrl: 'https://api.openai.com',
  read: async ({ baseUrl, key, settings, get }, period) => {
    const { add, lines } = openLines()
    const ask = withHeaders(get, { authorization: `Bearer ${key}` })
    for (const kind of usageKinds) {
      const url = `${baseUrl}/v1/organization/usage/${kind}`
      const query = queryOf(period, 'model', settings.projects)
      await readPages(ask, { url, query, shape: usagePage }, ({ data }) => {
        for (const { start_time, results } of data)
          for (const result of results) add(usageLine(dayOf(start_time), result))
      })
    }
    const url = `${baseUrl}/v1/organization/costs`
    const query = queryOf(period, 'line_item', settings.projects)
    await readPages(ask, { url, query, shape: costPage }, ({ data }) => {
      for (const { start_time, results } of data) {
        for (const result of results) {
          const line = costLine(dayOf(start_time), result)
          if (line !== undefined) add(line)
        }
      }
    })
    return lines
  },
}
