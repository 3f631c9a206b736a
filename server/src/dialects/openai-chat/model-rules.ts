import type { Effort } from '../conversation/conversation.ts'

/**
 * What families of models take of a request in OpenAI's words, one row for each. A call is changed only where its row says
 * so; models without a row, and what a row says nothing about, go through as they came. To add a family, add a row in front of the
 * first one whose pattern matches its names, with the page that says so and the day on which it said so.
 */
export interface ModelRules {
  /** Names after the channel's mapping. */
  readonly models: RegExp
  /** Public page. */
  readonly source: string
  /** When it was read, as in 2026-11-23. */
  readonly read: string
  /** The only member that bounds the answer; both are taken when absent. */
  readonly limit?: 'max_tokens' | 'max_completion_tokens'
  /** The only role of instructions; `developer` replaces that of the first message. */
  readonly instructions?: 'system' | 'developer'
  /** Values of `reasoning_effort`, rising; none is taken where the list is empty. */
  readonly efforts?: readonly Effort[]
  /** What the model does unasked; `none` when absent. */
  readonly usualEffort?: Effort
  /** When temperature, `top_p`, penalties and log probabilities are taken; always when absent. */
  readonly sampling?: 'unthinking' | 'never'
  /** The only temperature that is taken. */
  readonly temperature?: number
  readonly stop?: false
  /** Several answers to one request (`n`). */
  readonly several?: false
  readonly parallelCalls?: false
  /** Formats of answers below a schema: a JSON object, or text only. */
  readonly formats?: 'object' | 'text'
  /** When chat completions take functions; always when absent. */
  readonly chatTools?: 'unthinking' | 'never'
  /** `responses` where chat completions do not answer. */
  readonly language?: 'responses'
  /** Which API searches the web; `none` where neither does. */
  readonly search?: 'chat' | 'none'
}

const openai = 'https://developers.openai.com/api/docs'
const reasoning = `${openai}/guides/reasoning`
const latest = `${openai}/guides/latest-model`
const models = `${openai}/models`
const search = `${openai}/guides/tools-web-search`
const read = '2026-11-23'

const moved = { limit: 'max_completion_tokens' } as const
/** Models that always think. */
const thinks = { ...moved, sampling: 'never', stop: false } as const
/** Models that may also answer at once. */
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
  // Those that search by themselves in chat completions take no sampling.
  {
    models: /^gpt-(4o|4o-mini)-search-preview|^gpt-5(\.\d+)?-search-api/,
    source: search,
    read,
    sampling: 'never',
    several: false,
    efforts: [],
    search: 'chat',
  },
  // OpenAI's models for conversations do not think: gpt-5-chat-latest, gpt-5.2-chat-latest.
  { models: /^gpt-[5-9](\.\d+)?-chat(-|$)/, source: models, read, ...moved, efforts: [] },
  // GPT-6. Astra and 6.1 Sol always think, and take functions in responses only.
  {
    models: /^gpt-6(-astra|\.1-sol)/,
    source: `${openai}/guides/deployment-checklist`,
    read,
    ...thinks,
    efforts: [...lowToHigh, 'xhigh', 'max'],
    usualEffort: 'medium',
    chatTools: 'never',
  },
  {
    models: /^gpt-[6-9]/,
    source: `${openai}/guides/deployment-checklist`,
    read,
    ...mayThink,
    efforts: [...noneToXhigh, 'max'],
    usualEffort: 'medium',
    chatTools: 'unthinking',
  },
  // GPT-5.5 and 5.6 think unasked, those between 5.1 and 5.4 do not.
  {
    models: /^gpt-5\.([6-9]|\d\d)/,
    source: latest,
    read,
    ...mayThink,
    efforts: [...noneToXhigh, 'max'],
    usualEffort: 'medium',
    chatTools: 'unthinking',
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
  // Models that never think.
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
  // DeepSeek under its own names; thoughts are asked for with a switch of its own.
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
  // Mistral refuses members that it does not know.
  {
    models: /^(open-)?(mistral|mixtral|ministral|magistral|codestral|devstral|pixtral)/,
    source: 'https://docs.mistral.ai/api/endpoint/chat',
    read,
    limit: 'max_tokens',
    instructions: 'system',
  },
  // Kimi since K2.5 takes the one temperature, and one answer.
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
/** Names come from clients as well. */
const mostNames = 2000

/** The row of a model; undefined where nothing is known. A name is matched once. */
export const rulesOf = (model: string): ModelRules | undefined => {
  const cached = byName.get(model)
  if (cached !== undefined) return cached ?? undefined
  if (byName.size >= mostNames) byName.clear()
  const rules = modelRules.find((row) => row.models.test(model))
  byName.set(model, rules ?? null)
  return rules
}

/** Whether a model thinks in a call that asks for this effort, or for none in particular. */
export const isThinking = ({ usualEffort = 'none' }: ModelRules, effort: string | undefined): boolean =>
  (effort ?? usualEffort) !== 'none'

/** Whether a call may have temperature, `top_p`, penalties and log probabilities. */
export const takesSampling = (rules: ModelRules, effort: string | undefined): boolean =>
  rules.sampling === undefined || (rules.sampling === 'unthinking' && !isThinking(rules, effort))

/** Whether chat completions take functions in a call that asks for this effort. */
export const takesChatTools = (rules: ModelRules, effort: string | undefined): boolean =>
  rules.chatTools === undefined || (rules.chatTools === 'unthinking' && !isThinking(rules, effort))

/** Whether the web can be searched, in chat completions or in responses. */
export const searchesIn = (rules: ModelRules | undefined, api: 'chat' | 'responses'): boolean =>
  api === 'chat' ? rules?.search === 'chat' : rules?.search === undefined

const levels: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

/** The effort nearest to the one asked for that a model takes, rather more than less; undefined where it takes none. */
export const nearestEffort = (efforts: readonly Effort[] = levels, requested: Effort): Effort | undefined => {
  const at = levels.indexOf(requested)
  const distance = (effort: Effort): number => Math.abs(levels.indexOf(effort) - at)
  return efforts.toReversed().toSorted((a, b) => distance(a) - distance(b))[0]
}
