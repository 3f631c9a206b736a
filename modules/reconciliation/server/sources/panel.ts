import { parseJson } from '@tollgate/contract/json'
import { z } from 'zod'
import { decimal } from '#server/billing/decimal.ts'
import type { Decimal } from '#server/billing/price.ts'
import { AppError } from '#server/lib/app-error.ts'
import { dayOf, daySeconds, openLines, type ReportLine, reportLine } from '../report.ts'
import { withHeaders } from './pages.ts'
import type { ReportAccess, ReportApi } from './source.ts'

const whole = z.int().min(0).catch(0)

const logRow = z.object({
  created_at: z.int(),
  type: z.int(),
  model_name: z.string(),
  quota: z.int(),
  prompt_tokens: whole,
  completion_tokens: whole,
  other: z.string().nullish(),
  request_id: z.string().nullish(),
})

/** Newer panels answer with a page, older ones with the rows alone. */
const logPage = z.object({
  success: z.literal(true),
  data: z.union([z.object({ items: z.array(logRow).nullable() }), z.array(logRow), z.null()]),
})

const status = z.object({ data: z.object({ quota_per_unit: z.number().positive().catch(500_000) }) })

const other = z.object({
  cache_tokens: whole,
  cache_creation_tokens: whole,
  /** Rows of Anthropic's format count prompts without cached tokens. */
  claude: z.boolean().catch(false),
  request_id: z.string().catch(''),
})

const consumed = 2
const pageSize = 100
const mostPages = 600

/** Quota units over quota units per dollar, with 12 places. */
const dollarsOf = (quota: number, perUnit: number): Decimal => {
  const digits = (BigInt(quota) * 10n ** 18n) / BigInt(Math.round(perUnit * 1_000_000))
  return { digits, scale: 12 }
}

const lineOf = (row: z.output<typeof logRow>, perUnit: number): ReportLine => {
  const { data } = other.safeParse(parseJson(row.other ?? ''))
  const [cacheRead, cacheWrite] = [data?.cache_tokens ?? 0, data?.cache_creation_tokens ?? 0]
  return reportLine({
    day: dayOf(row.created_at),
    model: row.model_name,
    requestId: row.request_id || (data?.request_id ?? ''),
    calls: 1,
    input: data?.claude === true ? row.prompt_tokens : Math.max(0, row.prompt_tokens - cacheRead - cacheWrite),
    cacheRead,
    cacheWrite,
    output: row.completion_tokens,
    cost: row.quota === 0 ? decimal(0) : dollarsOf(row.quota, perUnit),
  })
}

/** The panel's API for a user's own log: `/api/log/self` with a system access token. */
export const panelReport: ReportApi = {
  baseUrl: '',
  read: async ({ baseUrl, key, settings, get }: ReportAccess, { from, until }) => {
    const { add, lines } = openLines()
    const ask = withHeaders(get, { authorization: key, 'new-api-user': settings.user_id })
    const { data: site } = await ask(`${baseUrl}/api/status`, status)
    const read = async (page: number) => {
      const query = new URLSearchParams({
        p: String(page),
        page_size: String(pageSize),
        type: String(consumed),
        start_timestamp: String(from),
        end_timestamp: String(until + daySeconds - 1),
      })
      const { data } = await ask(`${baseUrl}/api/log/self?${query}`, logPage)
      return { isList: Array.isArray(data), rows: (Array.isArray(data) ? data : data?.items) ?? [] }
    }
    const { isList } = await read(1)
    // Lists without a page count from 0, and have as many rows as their panel likes.
    const firstPage = isList ? 0 : 1
    for (let page = firstPage; page < firstPage + mostPages; page += 1) {
      const { rows } = await read(page)
      for (const row of rows) if (row.type === consumed) add(lineOf(row, site.quota_per_unit))
      if (rows.length === 0 || (!isList && rows.length < pageSize)) return lines
    }
    throw new AppError('report_pages', { params: { pages: mostPages } })
  },
}
