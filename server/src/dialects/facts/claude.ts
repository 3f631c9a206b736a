import type { ClaudeFacts, ModelFacts } from './model-facts.ts'

/** Anthropic's models, at Anthropic, Bedrock, Vertex and elsewhere. */

const docs = 'https://platform.claude.com/docs/en'
const thinking = `${docs}/build-with-claude/extended-thinking`
const adaptive = `${docs}/build-with-claude/adaptive-thinking`
const accounts = `${docs}/build-with-claude/preserved-thinking#account-bound-thinking`
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
  stopped: 'disabled',
  forcesTools: true,
  hidesThoughts: false,
  hostsForceOrThink: false,
  thoughts: 'free',
  mostOutput: 4096,
}
const budgets: ClaudeFacts = { ...first, thinks: true, mostOutput: 64_000 }
/** Models after Claude 4.0 take temperature or `top_p`, not both (migration guide). */
const oneSampling: ClaudeFacts = { ...budgets, bothSamplings: false }
const formats: ClaudeFacts = { ...oneSampling, schemas: true }
/** Bedrock refuses a forced tool beside thinking up to 4.7 (github.com/langchain-ai/langchain-aws/issues/1151). */
const both: ClaudeFacts = { ...formats, adaptive: true, hostsForceOrThink: true, mostOutput: 128_000 }
const onlyAdaptive: ClaudeFacts = { ...both, sampling: false, hidesThoughts: true, stopped: 'unasked' }
const unasked: ClaudeFacts = { ...onlyAdaptive, hostsForceOrThink: false }
/** Claude 5 thinks unless thinking is disabled. */
const fifth: ClaudeFacts = { ...unasked, stopped: 'disabled' }
/** Claude 5.5 takes instructions among the turns, whichever the model (github.com/langchain-ai/langchainjs/releases, anthropic 1.5.13). */
const latest: ClaudeFacts = { ...fifth, laterInstructions: true }
/**
 * "tool_choice: type tool and any are not supported for this model." Thoughts since Fable 5.1 are bound to what stands before them
 * (build-with-claude/preserved-thinking).
 */
const offersOnly: ClaudeFacts = { ...latest, stopped: 'never', forcesTools: false, thoughts: 'prefix' }

/** Models of others that are called in Anthropic's dialect. */
export const notClaude: ClaudeFacts = { ...budgets, mostOutput: Number.POSITIVE_INFINITY }

/** The least prompts that are cached are in build-with-claude/prompt-caching. */
export const claudeModels: readonly ModelFacts[] = [
  { models: /claude-(v?2(?!\d)|instant)/, source: thinking, read, ...tools, claude: first },
  {
    models: /claude-(3-haiku|haiku-3(?!\d)|3-5-haiku|3\.5-haiku)/,
    source: thinking,
    read,
    ...tools,
    claude: { ...first, mostOutput: 8192 },
    cacheMinimum: 2048,
  },
  { models: /claude-3[.-]7/, source: thinking, read, ...tools, claude: budgets, cacheMinimum: 1024 },
  {
    models: /claude-3(?!\d)/,
    source: thinking,
    read,
    ...tools,
    claude: { ...first, mostOutput: 8192 },
    cacheMinimum: 1024,
  },
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
    models: /claude-opus-4(?!\d)(?![.-][1-9]\d?(?!\d))/,
    source: thinking,
    read,
    ...tools,
    claude: { ...budgets, mostOutput: 32_000 },
    cacheMinimum: 1024,
  },
  {
    models: /claude-[a-z]+-4(?!\d)(?![.-][1-9]\d?(?!\d))/,
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
    claude: { ...unasked, laterInstructions: true },
    cacheMinimum: 1024,
  },
  {
    models: /claude-[a-z]+-4[.-]\d{1,2}(?!\d)/,
    source: `${docs}/about-claude/models/whats-new-claude-4-8`,
    read,
    ...tools,
    claude: unasked,
    cacheMinimum: 1024,
  },
  // Claude 5, and the models since 5.5, whose rules newer ones take.
  {
    models: /claude-opus-5(?!\d)(?![.-]\d{1,2}(?!\d))/,
    source: `${docs}/about-claude/models/whats-new-opus-5`,
    read,
    ...tools,
    claude: latest,
    cacheMinimum: 512,
  },
  {
    models: /claude-(sonnet|haiku)-5(?!\d)(?![.-]\d{1,2}(?!\d))/,
    source: `${docs}/models/sonnet-5/migration-guide`,
    read,
    ...tools,
    claude: fifth,
    cacheMinimum: 1024,
  },
  {
    models: /claude-(fable|mythos)-(5(?!\d)(?![.-]\d{1,2}(?!\d))|preview)/,
    source: 'https://docs.aws.amazon.com/bedrock/latest/userguide/claude-messages-adaptive-thinking.html',
    read,
    ...tools,
    claude: { ...latest, stopped: 'never' },
    cacheMinimum: 512,
  },
  {
    models: /claude-haiku/,
    source: `${docs}/models/haiku-5-5/whats-new-haiku-5-5`,
    read,
    ...tools,
    claude: { ...latest, thoughts: 'account' },
    cacheMinimum: 512,
  },
  {
    models: /claude-sonnet/,
    source: `${docs}/models/sonnet-5-5/whats-new-sonnet-5-5`,
    read,
    ...tools,
    claude: { ...offersOnly, stopped: 'between_tools', thoughts: 'account' },
    cacheMinimum: 512,
  },
  {
    models: /claude-opus/,
    source: `${docs}/models/opus-5-5/whats-new-opus-5-5`,
    read,
    ...tools,
    claude: offersOnly,
    cacheMinimum: 512,
  },
  {
    models: /mythos|fable/,
    source: `${docs}/models/fable-5-1/whats-new-fable-5-1`,
    read,
    ...tools,
    claude: offersOnly,
    cacheMinimum: 512,
  },
  // Families that are not known yet.
  {
    models: /claude-/,
    source: accounts,
    read,
    ...tools,
    claude: { ...offersOnly, thoughts: 'account' },
    cacheMinimum: 512,
  },
  // A name without a version.
  { models: /claude/, source: adaptive, read, ...tools, claude: notClaude, cacheMinimum: 1024 },
]
