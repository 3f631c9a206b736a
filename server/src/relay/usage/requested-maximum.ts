import { completionTokens, type Usage } from '../../billing/usage.ts'
import { isObject, type JsonObject, parsedJson } from '../../dialects/conversation/json.ts'
import { numberOf } from '../../dialects/conversation/request-fields.ts'

/** Tokens above a maximum that are accepted: end marks, and providers whose least maximum is 16. */
const tolerance = 16

/**
 * Models of makers that leave reasoning out of `max_tokens`, and of whom nobody knows how a host that serves them counts
 * (help.aliyun.com/zh/model-studio/deep-thinking, volcengine.com/docs/82379/1494384). Elsewhere it includes reasoning, as at OpenAI, Anthropic,
 * Google, DeepSeek (api-docs.deepseek.com/guides/reasoning_model) and wherever vLLM, SGLang or Ollama serve a model.
 */
const leavesReasoningOut = /(?:^|[/.])(?:qwen|qwq|qvq|doubao|seed-)/i

/** Maxima that always include reasoning; for `max_tokens` it depends on the provider. */
const wholeMaxima = ['max_completion_tokens', 'max_output_tokens', 'generationConfig', 'generation_config'] as const

const isOff = (body: JsonObject): boolean =>
  body.enable_thinking === false ||
  body.reasoning_effort === 'none' ||
  (isObject(body.thinking) && body.thinking.type === 'disabled')

interface Reasoning {
  readonly model: string
  /** True where the provider itself counts reasoning beside `max_tokens`. */
  readonly isBeside: boolean
  /** Tokens of an unlimited answer. */
  readonly longest: number
}

const isWithin = (body: JsonObject, { model, isBeside }: Reasoning): boolean => {
  // Clients of other dialects have other names for the provider's `max_tokens`.
  if (isBeside) return body.max_completion_tokens !== undefined
  return !leavesReasoningOut.test(model) || wholeMaxima.some((name) => body[name] !== undefined)
}

/** Tokens of reasoning that an answer may have beside the client's maximum, up to the budget that the call names for it. */
export const reasoningBeside = (body: JsonObject, reasoning: Reasoning): number => {
  if (isOff(body) || isWithin(body, reasoning)) return 0
  const budget = numberOf(body.thinking_budget)
  return budget > 0 ? Math.min(budget, reasoning.longest) : reasoning.longest
}

/** Names of the maximum in all dialects and providers, in lower case without underscores. */
const maximumNames: ReadonlySet<string> = new Set([
  'maxtokens',
  'maxcompletiontokens',
  'maxoutputtokens',
  'maxnewtokens',
  'maxtokenstosample',
  'maxgenlen',
  'numpredict',
])

/** The largest maximum in a body that was sent, or one level below; 0 where it has none. */
const maximumIn = (body: JsonObject, deeper = true): number =>
  Math.max(
    0,
    ...Object.entries(body).map(([name, value]) => {
      if (isObject(value)) return deeper ? maximumIn(value, false) : 0
      return maximumNames.has(name.replaceAll('_', '').toLowerCase()) ? numberOf(value) : 0
    }),
  )

/** Bytes. Larger bodies are not parsed again for a report. */
const mostParsed = 8 * 1024 * 1024

/** The maximum in the sent body, which the channel may have raised; undefined for none. */
const sentMaximum = (sent: Buffer): number | undefined => {
  const body = sent.length > mostParsed ? undefined : parsedJson(sent.toString())
  return (isObject(body) && maximumIn(body)) || undefined
}

interface Asked {
  /** The client's maximum of tokens for one answer. */
  readonly wanted: number
  /** Tokens of reasoning beside it, for one answer. */
  readonly beside: number
  /** Answers, and rounds of the provider's own tools for each. */
  readonly times: number
  /** True where the answer may hold sound or pictures, which have tokens of their own. */
  readonly mayHoldMedia: boolean
  /** The body as it was sent. It is parsed only for a report above the client's maximum. */
  readonly sent: Buffer | undefined
}

/**
 * True if the text of a completion is within the requested maximum. Sound and pictures do not count where the call may have some.
 * Reported reasoning may come on top where the maximum excludes it.
 */
export const allowedBy =
  ({ wanted, beside, times, mayHoldMedia, sent }: Asked) =>
  (usage: Usage): boolean => {
    const written = mayHoldMedia ? usage.output : completionTokens(usage)
    const text = written - Math.min(usage.reasoning, beside * times)
    if (text <= (wanted + tolerance) * times) return true
    if (sent === undefined) return false
    const maximum = sentMaximum(sent)
    return maximum === undefined || text <= (maximum + tolerance) * times
  }
