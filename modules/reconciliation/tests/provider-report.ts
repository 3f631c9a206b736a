import { json, type Received } from '#server-test/support/gateway/upstream.ts'

/** A day and model of a scripted report of OpenAI's organization API. */
export interface ReportedDay {
  /** Start of the day, unix seconds. */
  readonly day: number
  readonly model: string
  readonly calls: number
  /** Prompt tokens, cached ones included. */
  readonly prompt: number
  readonly cached: number
  readonly output: number
  /** Dollars by kind of token. */
  readonly cost: { readonly input: number; readonly cached: number; readonly output: number }
}

const daySeconds = 86_400

const bucket = (day: number, results: readonly unknown[]) => ({
  object: 'bucket',
  start_time: day,
  end_time: day + daySeconds,
  results,
})

const usageOf = ({ model, calls, prompt, cached, output }: ReportedDay) => ({
  object: 'organization.usage.completions.result',
  input_tokens: prompt,
  output_tokens: output,
  input_cached_tokens: cached,
  input_audio_tokens: 0,
  output_audio_tokens: 0,
  num_model_requests: calls,
  project_id: null,
  user_id: null,
  api_key_id: null,
  model,
  batch: null,
})

const costsOf = ({ model, cost }: ReportedDay) =>
  (
    [
      ['input', cost.input],
      ['cached input', cost.cached],
      ['output', cost.output],
    ] as const
  ).map(([kind, value]) => ({
    object: 'organization.costs.result',
    amount: { value, currency: 'usd' },
    line_item: `${model}, ${kind}`,
    project_id: null,
  }))

const page = (path: string, days: readonly ReportedDay[]): readonly unknown[] => {
  if (path.startsWith('/v1/organization/usage/completions')) return days.map((day) => bucket(day.day, [usageOf(day)]))
  if (path.startsWith('/v1/organization/costs')) return days.map((day) => bucket(day.day, costsOf(day)))
  return []
}

/** OpenAI's usage and costs API with a day on each page. */
export const organizationApi =
  (days: readonly ReportedDay[]) =>
  (call: Received): void => {
    const query = new URL(call.path, 'http://provider.test').searchParams
    const buckets = page(call.path, days)
    const at = Number(query.get('page') ?? 0)
    const more = at + 1 < buckets.length
    json({
      object: 'page',
      data: buckets.slice(at, at + 1),
      has_more: more,
      next_page: more ? String(at + 1) : null,
    })(call)
  }
