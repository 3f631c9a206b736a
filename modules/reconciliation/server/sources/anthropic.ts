import { z } from 'zod'
import { AppError } from '#server/lib/app-error.ts'
import { dayOf, daySeconds, fromCents, money, openLines, type Period, type ReportLine, reportLine } from '../report.ts'
import { readPages, withHeaders } from './pages.ts'
import type { ReportApi } from './source.ts'

/** docs.anthropic.com, Usage and Cost API: buckets of a day (UTC). */
const page = <T extends z.ZodType>(result: T) =>
  z.object({
    data: z.array(z.object({ starting_at: z.iso.datetime({ offset: true }), results: z.array(result) })),
    has_more: z.boolean(),
    next_page: z.string().nullish(),
  })

const tokens = z.int().min(0).nullish()

const usageResult = z.object({
  model: z.string().nullish(),
  uncached_input_tokens: tokens,
  cache_read_input_tokens: tokens,
  cache_creation: z.object({ ephemeral_1h_input_tokens: tokens, ephemeral_5m_input_tokens: tokens }).nullish(),
  output_tokens: tokens,
})

/** `amount` is cents as decimal text, with fractions. */
const costResult = z.object({
  model: z.string().nullish(),
  amount: z.string().regex(/^-?\d{1,15}(\.\d{1,20})?$/),
  currency: z.string().nullish(),
  workspace_id: z.string().nullish(),
})

const usagePage = page(usageResult)
const costPage = page(costResult)

const textOf = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')

const queryOf = ({ from, until }: Period, groupBy: readonly string[]): URLSearchParams => {
  const query = new URLSearchParams({
    starting_at: textOf(from),
    ending_at: textOf(until + daySeconds),
    bucket_width: '1d',
    limit: '31',
  })
  for (const name of groupBy) query.append('group_by[]', name)
  return query
}

const dayIn = (startingAt: string): number => dayOf(Date.parse(startingAt) / 1000)

const usageLine = (day: number, result: z.output<typeof usageResult>): ReportLine => {
  const written = result.cache_creation
  return reportLine({
    day,
    model: result.model ?? '',
    input: result.uncached_input_tokens ?? 0,
    cacheRead: result.cache_read_input_tokens ?? 0,
    cacheWrite: (written?.ephemeral_1h_input_tokens ?? 0) + (written?.ephemeral_5m_input_tokens ?? 0),
    output: result.output_tokens ?? 0,
  })
}

const costLine = (day: number, { model, amount, currency }: z.output<typeof costResult>): ReportLine => {
  if (currency && currency !== 'USD') throw new AppError('report_currency', { params: { currency } })
  return reportLine({ day, model: model ?? '', cost: fromCents(money(amount)) })
}

/** Tokens come from the usage report, which counts no calls; dollars from the cost report. Both need an admin key. */
export const anthropicReport: ReportApi = {
  baseUrl: 'https://api.anthropic.com',
  read: async ({ baseUrl, key, settings, get }, period) => {
    const { add, lines } = openLines()
    const ask = withHeaders(get, { 'x-api-key': key, 'anthropic-version': '2023-06-01' })
    const workspaces = new Set(settings.projects)
    const usage = queryOf(period, ['model'])
    for (const workspace of workspaces) usage.append('workspace_ids[]', workspace)
    const usageUrl = `${baseUrl}/v1/organizations/usage_report/messages`
    await readPages(ask, { url: usageUrl, query: usage, shape: usagePage }, ({ data }) => {
      for (const { starting_at, results } of data)
        for (const result of results) add(usageLine(dayIn(starting_at), result))
    })
    // The cost report takes no workspaces, but names them when it is grouped by them.
    const costs = queryOf(period, workspaces.size === 0 ? ['description'] : ['description', 'workspace_id'])
    const costsUrl = `${baseUrl}/v1/organizations/cost_report`
    await readPages(ask, { url: costsUrl, query: costs, shape: costPage }, ({ data }) => {
      for (const { starting_at, results } of data) {
        for (const result of results) {
          const isAsked = workspaces.size === 0 || workspaces.has(result.workspace_id ?? '')
          if (isAsked && Number(result.amount) !== 0) add(costLine(dayIn(starting_at), result))
        }
      }
    })
    return lines
  },
}
