import { z } from 'zod'
import { add, zero } from '#server/billing/decimal.ts'
import type { Decimal } from '#server/billing/price.ts'
import { AppError } from '#server/lib/app-error.ts'
import type { OwnCall } from '../calls/own-calls.ts'
import { modelKey } from '../model-key.ts'
import { dayOf, hourSeconds, money, openLines, type ReportLine, reportLine } from '../report.ts'
import type { CallsApi } from './source.ts'

const tokens = z.number().min(0).nullish()

/**
 * openrouter.ai/docs/api/api-reference/generations/get-generation: one call by its id, for any key of the account. The native
 * counts are those that are billed; completions contain reasoning, prompts contain what the cache had, cache writes are not stated.
 */
const generation = z.object({
  data: z.object({
    model: z.string(),
    /** Dollars that OpenRouter charged. */
    total_cost: z.number(),
    is_byok: z.boolean().nullish(),
    /** Dollars that the provider behind charged, where the call went there with a key of one's own. */
    upstream_inference_cost: z.number().nullish(),
    native_tokens_prompt: tokens,
    native_tokens_completion: tokens,
    native_tokens_cached: tokens,
  }),
})
type Generation = z.output<typeof generation>['data']

/** Gateways and other providers of earlier attempts have other ids. */
const isGeneration = (id: string): boolean => id.startsWith('gen-')

/** Five calls a second at most. */
const restMs = 200
/** An import counts as interrupted after fifteen minutes. */
const mostSeconds = 600

const costOf = ({ total_cost, is_byok, upstream_inference_cost }: Generation): Decimal =>
  add(money(total_cost), is_byok === true ? money(upstream_inference_cost ?? 0) : zero)

/** The day of the call here: the provider's moment is its beginning, and the two may lie on either side of midnight. */
const lineOf = (requestId: string, answer: Generation, call: OwnCall, offset: number): ReportLine => {
  const cached = answer.native_tokens_cached ?? 0
  const prompt = answer.native_tokens_prompt
  const isSame = modelKey(answer.model) === modelKey(call.upstreamModel)
  return reportLine({
    day: dayOf(call.at + offset * hourSeconds),
    // Routers answer with models of their own choice; the call meets itself all the same.
    model: isSame ? answer.model : call.upstreamModel,
    requestId,
    calls: 1,
    ...(typeof prompt === 'number'
      ? { input: Math.max(0, Math.round(prompt - cached)), cacheRead: Math.round(cached) }
      : {}),
    ...(typeof answer.native_tokens_completion === 'number'
      ? { output: Math.round(answer.native_tokens_completion) }
      : {}),
    cost: costOf(answer),
  })
}

const isLimit = (error: unknown): boolean => error instanceof AppError && error.code === 'report_rate_limited'

/** OpenRouter call by call: a key that may not read the activity may ask about single calls. */
export const openrouterCalls: CallsApi = {
  baseUrl: 'https://openrouter.ai',
  names: isGeneration,
  read: async ({ baseUrl, key, find, rest, seconds }, calls, offset) => {
    const { add: addLine, lines } = openLines()
    const until = seconds() + mostSeconds
    const headers = { authorization: `Bearer ${key}` }
    let asked = 0
    const askAbout = async (call: OwnCall): Promise<void> => {
      for (const id of call.providerIds.filter(isGeneration)) {
        const answer = await find(`${baseUrl}/api/v1/generation?id=${encodeURIComponent(id)}`, headers, generation)
        if (answer !== undefined) addLine(lineOf(id, answer.data, call, offset))
        await rest(restMs)
      }
    }
    for (const call of calls) {
      if (seconds() > until) break
      try {
        await askAbout(call)
      } catch (error) {
        // Answers from before the limit are used; the other calls count as not asked about.
        if (!isLimit(error) || lines.length === 0) throw error
        break
      }
      asked += 1
    }
    return { lines, asked: calls.slice(0, asked) }
  },
}
