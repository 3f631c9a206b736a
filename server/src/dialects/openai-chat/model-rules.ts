import type { Effort } from '../conversation/conversation.ts'

/**
 * Limits of a model family in OpenAI's dialects, one row for each family. The gateway changes a call only where its row states a
 * limit; models without a row pass unchanged. To add a family, add a row before the first one whose pattern matches its names,
 * with the page that documents the limit and the day on which it was read.
 */
export interface ModelRules {
  /** Matches model names after the channel's model mapping. */
  readonly models: RegExp
  /** URL of the page that documents the limits. */
  readonly source: string
  /** The day on which the page was read, as in 2026-11-23. */
  readonly read: string
  /** The only field that limits output tokens; models accept both when absent. */
  readonly limit?: 'max_tokens' | 'max_completion_tokens'
  /** The only role for instructions; `developer` replaces the role of the first message. */
  readonly instructions?: 'system' | 'developer'
  /** Accepted values of `reasoning_effort`, ascending; an empty list if the field is refused. */
  readonly efforts?: readonly Effort[]
  /** The effort of a call that names none; `none` when absent. */
  readonly usualEffort?: Effort
  /** When the model accepts temperature, `top_p`, penalties and log probabilities; always when absent. */
  readonly sampling?: 'unthinking' | 'never'
  /** The only accepted temperature. */
  readonly temperature?: number
  readonly stop?: false
  /** False if the model refuses `n` above 1. */
  readonly several?: false
  readonly parallelCalls?: false
  /** The best answer format of models without JSON schemas: a JSON object, or only text. */
  readonly formats?: 'object' | 'text'
  /** When chat completions accept functions; always when absent. */
  readonly chatTools?: 'unthinking' | 'never'
  /** `responses` if the model is not available in chat completions. */
  readonly language?: 'responses'
  /** True if the client may mark what to cache (prompt_cache_breakpoint). */
  readonly breakpoints?: true
  /** The API in which the model searches the web: responses when absent, `none` if neither. */
  readonly search?: 'chat' | 'none'
}

const openai = 'https://developers.openai.com/api/docs'
const reasoning = `${openai}/guides/reasoning`
const latest = `${openai}/guides/latest-model`
const models = `${openai}/models`
const search = `${openai}/guides/tools-web-search`
const read = '2026-11-23'

const moved = { limit: 'max_completion_tokens' } as const
/** Models that always reason. */
const thinks = { ...moved, sampling: 'never', stop: false } as const
/** Models that can also answer without reasoning. */
const mayThink = { ...moved, sampling: 'unthinking', stop: false } as const

const lowToHigh = ['low', 'medium', 'high'] as const
const noneToXhigh = ['none', ...lowToHigh, 'xhigh'] as const

/** First match wins. */
export const modelRules: readonly ModelRules[] = [
  // OpenAI: models that answer in responses only, the oldest exceptions first.
  {
    models: /^(o\d+-pro|o\d.*-deep-research)/,
    source: models,
    read,
    ...thinks,
    efforts: lowToHigh,
    language: 'responses',
  },
  { models: /^computer-use-preview/, source: models, read, ...thinks, efforts: [], language: 'responses' },
  {
    models: /^gpt-5-pro/,
    source: models,
    read,
    ...thinks,
    efforts: ['high'],
    usualEffort: 'high',
    language: 'responses',
  },
  {
    models: /^gpt-[5-9](\.\d+)?-pro/,
    source: models,
    read,
    ...thinks,
    efforts: ['medium', 'high', 'xhigh'],
    usualEffort: 'high',
    language: 'responses',
  },
  {
    models: /^gpt-5\.1-codex-max|^gpt-5\.[2-9]\d*-codex/,
    source: models,
    read,
    ...thinks,
    efforts: [...lowToHigh, 'xhigh'],
    language: 'responses',
  },
  { models: /^(gpt-5(\.\d+)?-)?codex/, source: models, read, ...thinks, efforts: lowToHigh, language: 'responses' },
  // Search models of chat completions refuse sampling fields.
  {
    models: /^gpt-(4o|4o-mini)-search-preview|^gpt-5(\.\d+)?-search-api/,
    source: search,
    read,
    sampling: 'never',
    several: false,
    efforts: [],
    search: 'chat',
  },
  // OpenAI's chat models do not reason: gpt-5-chat-latest, gpt-5.2-chat-latest.
  { models: /^gpt-[5-9](\.\d+)?-chat(-|$)/, source: models, read, ...moved, efforts: [] },
  // GPT-6. Astra and 6.1 Sol always reason, and accept functions in responses only.
  {
    models: /^gpt-6(-astra|\.1-sol)/,
    source: `${openai}/guides/deployment-checklist`,
    read,
    ...thinks,
    efforts: [...lowToHigh, 'xhigh', 'max'],
    usualEffort: 'medium',
    chatTools: 'never',
    breakpoints: true,
  },
  {
    models: /^gpt-[6-9]/,
    source: `${openai}/guides/deployment-checklist`,
    read,
    ...mayThink,
    efforts: [...noneToXhigh, 'max'],
    usualEffort: 'medium',
    chatTools: 'unthinking',
    breakpoints: true,
  },
  // GPT-5.5 and 5.6 reason by default; 5.1 to 5.4 do not.
  {
    models: /^gpt-5\.([6-9]|\d\d)/,
    source: latest,
    read,
    ...mayThink,
    efforts: [...noneToXhigh, 'max'],
    usualEffort: 'medium',
    chatTools: 'unthinking',
    breakpoints: true,
  },
  {
    models: /^gpt-5\.5/,
    source: latest,
    read,
    ...mayThink,
    efforts: noneToXhigh,
    usualEffort: 'medium',
    chatTools: 'unthinking',
  },
  { models: /^gpt-5\.4/, source: latest, read, ...mayThink, efforts: noneToXhigh, chatTools: 'unthinking' },
  { models: /^gpt-5\.[23]/, source: latest, read, ...mayThink, efforts: noneToXhigh },
  { models: /^gpt-5\.1/, source: latest, read, ...mayThink, efforts: ['none', ...lowToHigh] },
  {
    models: /^gpt-5(-mini|-nano)?(-\d{4}|$)/,
    source: latest,
    read,
    ...thinks,
    efforts: ['minimal', ...lowToHigh],
    usualEffort: 'medium',
  },
  // The o series.
  {
    models: /^o4-mini/,
    source: reasoning,
    read,
    ...thinks,
    efforts: lowToHigh,
    usualEffort: 'medium',
    several: false,
  },
  {
    models: /^o3-mini/,
    source: reasoning,
    read,
    ...thinks,
    instructions: 'developer',
    efforts: lowToHigh,
    usualEffort: 'medium',
    parallelCalls: false,
    several: false,
    search: 'none',
  },
  {
    models: /^o3/,
    source: reasoning,
    read,
    ...thinks,
    instructions: 'developer',
    efforts: lowToHigh,
    usualEffort: 'medium',
    several: false,
  },
  {
    models: /^o1(-2024-12-17)?$/,
    source: reasoning,
    read,
    ...moved,
    sampling: 'never',
    instructions: 'developer',
    efforts: lowToHigh,
    usualEffort: 'medium',
    parallelCalls: false,
    several: false,
    search: 'none',
  },
  {
    models: /^o\d/,
    source: reasoning,
    read,
    ...moved,
    sampling: 'never',
    efforts: lowToHigh,
    usualEffort: 'medium',
    search: 'none',
  },
  // Models that never reason.
  { models: /^gpt-4\.1-nano/, source: search, read, efforts: [], search: 'none' },
  {
    models: /^(ft:)?gpt-4(o-2024-05-13|-turbo|-\d{4}-preview)/,
    source: `${openai}/guides/structured-outputs`,
    read,
    efforts: [],
    formats: 'object',
    search: 'none',
  },
  {
    models: /^(ft:)?(gpt-4(-32k|-0613|-0314|$)|gpt-3\.5)/,
    source: models,
    read,
    efforts: [],
    formats: 'object',
    search: 'none',
  },
  { models: /^(ft:)?(gpt-4|chatgpt)/, source: models, read, efforts: [] },
  {
    models: /^gpt-oss/,
    source: 'https://developers.openai.com/cookbook/articles/openai-harmony',
    read,
    efforts: lowToHigh,
    usualEffort: 'medium',
  },
  // DeepSeek under its own names; a separate field turns reasoning on.
  {
    models: /^deepseek-(chat|reasoner|v\d)/,
    source: 'https://api-docs.deepseek.com/api/create-chat-completion',
    read,
    limit: 'max_tokens',
    instructions: 'system',
    formats: 'object',
  },
  // xAI. Grok 4 refuses penalties, stop and, up to 4.2, efforts.
  {
    models: /^grok-3-mini/,
    source: 'https://docs.x.ai/docs/guides/reasoning',
    read,
    limit: 'max_completion_tokens',
    efforts: ['low', 'high'],
    stop: false,
  },
  { models: /^grok-4(\.20?|-|$)/, source: 'https://docs.x.ai/docs/guides/reasoning', read, efforts: [], stop: false },
  {
    models: /^grok-4\.[5-9]/,
    source: 'https://docs.x.ai/docs/guides/reasoning',
    read,
    efforts: lowToHigh,
    usualEffort: 'high',
    stop: false,
  },
  {
    models: /^grok-4\.3/,
    source: 'https://docs.x.ai/docs/guides/reasoning',
    read,
    efforts: ['none', ...lowToHigh],
    stop: false,
  },
  // Mistral refuses unknown fields.
  {
    models: /^(open-)?(mistral|mixtral|ministral|magistral|codestral|devstral|pixtral)/,
    source: 'https://docs.mistral.ai/api/endpoint/chat',
    read,
    limit: 'max_tokens',
    instructions: 'system',
  },
  // Kimi since K2.5 accepts one temperature, and one answer per call.
  {
    models: /^kimi-k(2\.[5-9]|[3-9])/,
    source: 'https://platform.kimi.ai/docs/api/models-overview',
    read,
    instructions: 'system',
    sampling: 'never',
    several: false,
  },
  {
    models: /^(kimi-|moonshot-)/,
    source: 'https://platform.kimi.ai/docs/api/chat',
    read,
    instructions: 'system',
    formats: 'object',
  },
  {
    models: /^(glm-|chatglm|charglm|codegeex)/,
    source: 'https://docs.bigmodel.cn/api-reference',
    read,
    limit: 'max_tokens',
    instructions: 'system',
    formats: 'object',
  },
  {
    models: /^(qwen|qwq|qvq)/,
    source: 'https://help.aliyun.com/zh/model-studio/use-qwen-by-calling-api',
    read,
    instructions: 'system',
  },
  {
    models: /^(minimax|abab)/i,
    source: 'https://platform.minimax.io/docs/api-reference/text-openai-api',
    read,
    instructions: 'system',
  },
]

const byName = new Map<string, ModelRules | null>()
/** Clients choose model names too, so the cache is bounded. */
const mostNames = 2000

/** The row of a model; undefined if it has none. Results are cached by name. */
export const rulesOf = (model: string): ModelRules | undefined => {
  const cached = byName.get(model)
  if (cached !== undefined) return cached ?? undefined
  if (byName.size >= mostNames) byName.clear()
  const rules = modelRules.find((row) => row.models.test(model))
  byName.set(model, rules ?? null)
  return rules
}

/** True if the model reasons at this effort, or by default if the call names no effort. */
export const isThinking = ({ usualEffort = 'none' }: ModelRules, effort: string | undefined): boolean =>
  (effort ?? usualEffort) !== 'none'

/** True if a call may have temperature, `top_p`, penalties and log probabilities. */
export const takesSampling = (rules: ModelRules, effort: string | undefined): boolean =>
  rules.sampling === undefined || (rules.sampling === 'unthinking' && !isThinking(rules, effort))

/** True if chat completions accept functions in a call with this effort. */
export const takesChatTools = (rules: ModelRules, effort: string | undefined): boolean =>
  rules.chatTools === undefined || (rules.chatTools === 'unthinking' && !isThinking(rules, effort))

/** True if the model searches the web in this API. */
export const searchesIn = (rules: ModelRules | undefined, api: 'chat' | 'responses'): boolean =>
  api === 'chat' ? rules?.search === 'chat' : rules?.search === undefined

const levels: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

/** The accepted effort nearest to the requested one; the higher of two equally near. undefined if the model accepts none. */
export const nearestEffort = (efforts: readonly Effort[] = levels, requested: Effort): Effort | undefined => {
  const at = levels.indexOf(requested)
  const distance = (effort: Effort): number => Math.abs(levels.indexOf(effort) - at)
  return efforts.toReversed().toSorted((a, b) => distance(a) - distance(b))[0]
}
