import type { ModelFacts } from './model-facts.ts'

/** OpenAI's models. */

const openai = 'https://developers.openai.com/api/docs'
const reasoning = `${openai}/guides/reasoning`
const latest = `${openai}/guides/latest-model`
const models = `${openai}/models`
const search = `${openai}/guides/tools-web-search`
const read = '2026-11-23'

/** OpenAI's caching needs 1024 tokens (…/guides/prompt-caching), and its tools plain roots (github.com/BerriAI/litellm/issues/38839). */
const own = { plainRoots: true, cacheMinimum: 1024 } as const
/** The first models, which have no cache. */
const uncached = { plainRoots: true } as const
const moved = { ...own, limit: 'max_completion_tokens' } as const
/** Models that always reason. */
const thinks = { ...moved, sampling: 'never', stop: false } as const
/** Models that can also answer without reasoning. */
const mayThink = { ...moved, sampling: 'unthinking', stop: false } as const

const lowToHigh = ['low', 'medium', 'high'] as const
const noneToXhigh = ['none', ...lowToHigh, 'xhigh'] as const

export const openaiModels: readonly ModelFacts[] = [
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
    models: /^gpt-([5-9]|\d\d)(\.\d+)?-pro/,
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
    ...own,
  },
  // OpenAI's chat models do not reason: gpt-5-chat-latest, gpt-5.2-chat-latest.
  { models: /^gpt-([5-9]|\d\d)(\.\d+)?-chat(-|$)/, source: models, read, ...moved, efforts: [] },
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
    // Azure writes gpt-35-turbo.
    models: /^gpt-(?!35)([6-9]|\d\d)/,
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
    models: /^gpt-5/,
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
  { models: /^gpt-4\.1-nano/, source: search, read, ...own, efforts: [], search: 'none' },
  {
    models: /^(ft:)?gpt-4(o-2024-05-13|-turbo|-\d{4}-preview)/,
    source: `${openai}/guides/structured-outputs`,
    read,
    ...uncached,
    efforts: [],
    formats: 'object',
    search: 'none',
  },
  {
    models: /^(ft:)?(gpt-4(-32k|-0613|-0314|$)|gpt-3\.?5)/,
    source: models,
    read,
    ...uncached,
    efforts: [],
    formats: 'object',
    search: 'none',
  },
  { models: /^(ft:)?(gpt-4|chatgpt)/, source: models, read, ...own, efforts: [] },
  {
    models: /^gpt-oss/,
    source: 'https://developers.openai.com/cookbook/articles/openai-harmony',
    read,
    efforts: lowToHigh,
    usualEffort: 'medium',
  },
]
