import type { ClaudeFacts, ModelFacts } from './model-facts.ts'

/** Anthropic's models, at Anthropic, Bedrock, Vertex and elsewhere. */

const docs = 'https://platform.claude.com/docs/en'
const thinking = `${docs}/build-with-claude/extended-thinking`
const adaptive = `${docs}/build-with-claude/adaptive-thinking`
const read = '2026-11-29'

/** Anthropic refuses combinators at the root of `input_schema` (github.com/langchain-ai/langchain/issues/39271). */
const tools = { plainRoots: true } as const

const first: ClaudeFacts = {
  thinks: false,
  adaptive: false,
  sampling: true,
  bothSamplings: true,
  schemas: false,
  laterInstructions: false,
  cannotStop: false,
  hidesThoughts: false,
  hostsForceOrThink: false,
  mostOutput: 4096,
}
const budgets: ClaudeFacts = { ...first, thinks: true, mostOutput: 64_000 }
/** Models after Claude 4.0 take temperature or `top_p`, not both (migration guide). */
const oneSampling: ClaudeFacts = { ...budgets, bothSamplings: false }
const formats: ClaudeFacts = { ...oneSampling, schemas: true }
/** Bedrock refuses a forced tool beside thinking up to 4.7 (github.com/langchain-ai/langchain-aws/issues/1151). */
const both: ClaudeFacts = { ...formats, adaptive: true, hostsForceOrThink: true, mostOutput: 128_000 }
const onlyAdaptive: ClaudeFacts = { ...both, sampling: false, hidesThoughts: true }
const newest: ClaudeFacts = { ...onlyAdaptive, hostsForceOrThink: false, cannotStop: true }

/** Models of others that are called in Anthropic's dialect. */
export const notClaude: ClaudeFacts = { ...budgets, mostOutput: Number.POSITIVE_INFINITY }

/** The least prompts that are cached are in build-with-claude/prompt-caching. */
export const claudeModels: readonly ModelFacts[] = [
  { models: /claude-(v?2|instant)/, source: thinking, read, ...tools, claude: first },
  {
    models: /claude-(3-haiku|haiku-3|3-5-haiku|3\.5-haiku)/,
    source: thinking,
    read,
    ...tools,
    claude: { ...first, mostOutput: 8192 },
    cacheMinimum: 2048,
  },
  { models: /claude-3[.-]7/, source: thinking, read, ...tools, claude: budgets, cacheMinimum: 1024 },
  { models: /claude-3/, source: thinking, read, ...tools, claude: { ...first, mostOutput: 8192 }, cacheMinimum: 1024 },
  {
    models: /claude-opus-4[.-]1(?!\d)/,
    source: thinking,
    read,
    ...tools,
    claude: { ...formats, mostOutput: 32_000 },
    cacheMinimum: 1024,
  },
  // A date follows: claude-opus-4-20250514.
  {
    models: /claude-opus-4(?![.-][1-9]\d?(?!\d))/,
    source: thinking,
    read,
    ...tools,
    claude: { ...budgets, mostOutput: 32_000 },
    cacheMinimum: 1024,
  },
  {
    models: /claude-[a-z]+-4(?![.-][1-9]\d?(?!\d))/,
    source: thinking,
    read,
    ...tools,
    claude: budgets,
    cacheMinimum: 1024,
  },
  {
    models: /claude-[a-z]+-4[.-][1-4](?!\d)/,
    source: thinking,
    read,
    ...tools,
    claude: oneSampling,
    cacheMinimum: 1024,
  },
  { models: /claude-sonnet-4[.-]5(?!\d)/, source: thinking, read, ...tools, claude: formats, cacheMinimum: 1024 },
  { models: /claude-[a-z]+-4[.-]5(?!\d)/, source: thinking, read, ...tools, claude: formats, cacheMinimum: 4096 },
  { models: /claude-sonnet-4[.-]6(?!\d)/, source: adaptive, read, ...tools, claude: both, cacheMinimum: 1024 },
  { models: /claude-[a-z]+-4[.-]6(?!\d)/, source: adaptive, read, ...tools, claude: both, cacheMinimum: 4096 },
  {
    models: /claude-[a-z]+-4[.-]7(?!\d)/,
    source: `${docs}/about-claude/models/whats-new-claude-4-7`,
    read,
    ...tools,
    claude: onlyAdaptive,
    cacheMinimum: 4096,
  },
  {
    models: /claude-opus-4[.-]\d{1,2}(?!\d)/,
    source: `${docs}/about-claude/models/whats-new-claude-4-8`,
    read,
    ...tools,
    claude: { ...newest, cannotStop: false, laterInstructions: true },
    cacheMinimum: 1024,
  },
  {
    models: /claude-[a-z]+-4[.-]\d{1,2}(?!\d)/,
    source: `${docs}/about-claude/models/whats-new-claude-4-8`,
    read,
    ...tools,
    claude: { ...newest, cannotStop: false },
    cacheMinimum: 1024,
  },
  { models: /claude-(sonnet|haiku)/, source: adaptive, read, ...tools, claude: newest, cacheMinimum: 1024 },
  {
    models: /claude-opus/,
    source: adaptive,
    read,
    ...tools,
    claude: { ...newest, laterInstructions: true },
    cacheMinimum: 512,
  },
  { models: /claude-|mythos|fable/, source: adaptive, read, ...tools, claude: newest, cacheMinimum: 512 },
  // A name that says nothing more.
  { models: /claude/, source: adaptive, read, ...tools, claude: notClaude, cacheMinimum: 1024 },
]
