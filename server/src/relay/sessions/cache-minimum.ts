/** The shortest prompt that a provider caches, in tokens, where a model has one of its own. The first row that fits counts. */
const minimums: readonly (readonly [models: RegExp, tokens: number, source: string])[] = [
  [/opus-4[.-]?([5-9]|\d{2})(?!\d)/, 4096, 'https://docs.claude.com/en/docs/build-with-claude/prompt-caching'],
  [/haiku-4[.-]?5/, 4096, 'https://docs.claude.com/en/docs/build-with-claude/prompt-caching'],
  [/(haiku-3|3[.-]5-haiku|3-haiku)/, 2048, 'https://docs.claude.com/en/docs/build-with-claude/prompt-caching'],
]

/** The minimum of OpenAI's models, and of all other models of Anthropic. */
const usual = 1024

/** Tokens of a prompt below which the model's provider does not cache it. */
export const cacheMinimumOf = (model: string): number => minimums.find(([models]) => models.test(model))?.[1] ?? usual

/** Models whose providers are known to cache prompts: OpenAI since gpt-4o, and Anthropic. */
const caching = /claude|gpt-(4o|4[.]1|4[.]5|5)|(^|[/.])o[134](?![a-z0-9])/

/** Whether a prompt that was not cached may be named too short for it. */
export const isKnownToCache = (model: string): boolean => caching.test(model)
