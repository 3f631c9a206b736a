import { z } from 'zod'
import { dayOf, money, openLines, reportLine } from '../report.ts'
import type { ReportApi } from './source.ts'

const tokens = z.int().min(0)

/** openrouter.ai/docs, activity: a row per day (UTC), model and endpoint; prompts are not split by cache. */
const activity = z.object({
  data: z.array(
    z.object({
      date: z.string().regex(/^\d{4}-\d{2}-\d{2}/),
      model: z.string(),
      model_permaslug: z.string().nullish(),
      /** Dollars. */
      usage: z.number(),
      requests: tokens,
      prompt_tokens: tokens,
      completion_tokens: tokens,
    }),
  ),
})

/** The last 30 completed days; asks with a management key. */
export const openrouterReport: ReportApi = {
  baseUrl: 'https://openrouter.ai',
  read: async ({ baseUrl, key, get }, { from, until }) => {
    const { add, lines } = openLines()
    const { data } = await get(`${baseUrl}/api/v1/activity`, { authorization: `Bearer ${key}` }, activity)
    for (const row of data) {
      const day = dayOf(Date.parse(`${row.date.slice(0, 10)}T00:00:00Z`) / 1000)
      if (day < from || day > until) continue
      add(
        reportLine({
          day,
          model: row.model_permaslug || row.model,
          calls: row.requests,
          input: row.prompt_tokens,
          output: row.completion_tokens,
          cost: money(row.usage),
        }),
      )
    }
    return lines
  },
}
