/**
 * Price ratios of OpenAI's faster tier relative to the standard one: openai.com/api-fast-mode (once "priority processing"; both names
 * are in use), and developers.openai.com/api/docs/pricing for models that the first page no longer lists.
 */
const openaiFast: Readonly<Record<string, number>> = {
  'gpt-5*': 2,
  'gpt-5-mini*': 1.8,
  'gpt-5.1-codex-mini*': 1.8,
  'gpt-5.5*': 2.5,
  'gpt-6*': 2,
  'gpt-4.1*': 1.75,
  'gpt-4.1-nano*': 2,
  'gpt-4o*': 1.7,
  'gpt-4o-2024-05-13': 1.75,
  'gpt-4o-mini*': 5 / 3,
  'o3*': 1.75,
  'o4-mini*': 20 / 11,
}

/**
 * Makers whose models Bedrock sells in its faster and slower tiers, as its ids begin: aws.amazon.com/bedrock/pricing, three quarters more
 * and half. Where the page rounds a model's own figures they differ by a few hundredths.
 */
const onBedrock = [
  'amazon.nova-*',
  'us.amazon.nova-*',
  'eu.amazon.nova-*',
  'jp.amazon.nova-*',
  'apac.amazon.nova-*',
  'global.amazon.nova-*',
  'deepseek.*',
  'google.gemma-*',
  'minimax.*',
  'mistral.*',
  'moonshot.*',
  'moonshotai.*',
  'nvidia.*',
  'openai.gpt-oss-*',
  'qwen.*',
  'writer.*',
  'zai.*',
]

/**
 * OpenAI's fastest tier: six times the standard price of every kind of token
 * (developers.openai.com/api/docs/guides/ultrafast-mode). Bedrock sells the same models at the same factor.
 */
const openaiUltrafast: Readonly<Record<string, number>> = {
  'gpt-6-astra*': 6,
  'gpt-6.1-sol*': 6,
  'global.openai.gpt-6-astra*': 6,
  'us.openai.gpt-6-astra*': 6,
  'openai.gpt-6-astra*': 6,
  'global.openai.gpt-6.1-sol*': 6,
  'us.openai.gpt-6.1-sol*': 6,
  'openai.gpt-6.1-sol*': 6,
}

/**
 * Makers whose batches cost less in every model: platform.claude.com/docs/en/build-with-claude/batch-processing,
 * developers.openai.com/api/docs/guides/batch, ai.google.dev/gemini-api/docs/batch-api, and the prices of Bedrock's and xAI's pages.
 * Others cost in a batch what they cost alone, until an operator sets a factor: Groq's pages name several (console.groq.com/docs/batch).
 */
const batchFactors: Readonly<Record<string, number>> = {
  'claude-*': 0.5,
  'gpt-*': 0.5,
  'chatgpt-*': 0.5,
  'ft:*': 0.5,
  'o1*': 0.5,
  'o3*': 0.5,
  'o4-*': 0.5,
  'text-embedding-3-*': 0.5,
  'gemini-*': 0.5,
  'grok-*': 0.8,
  // docs.mistral.ai/studio-api/batch-processing (November 2026): half, by all models of the service.
  'mistral-*': 0.5,
  'ministral-*': 0.5,
  'magistral-*': 0.5,
  'codestral-*': 0.5,
  'devstral-*': 0.5,
  'pixtral-*': 0.5,
  'voxtral-*': 0.5,
  'open-mistral-*': 0.5,
  'open-mixtral-*': 0.5,
  // help.aliyun.com/document_detail/2975721.html (August 2025): half; open models of these makers have other hosts, and are left out.
  'qwen-*': 0.5,
  'text-embedding-v*': 0.5,
  // docs.bigmodel.cn, guide of the Batch API (November 2026): half.
  'glm-4*': 0.5,
  // platform.kimi.ai/docs/pricing/batch (April 2026): 60 %, of this model alone; others have no batches.
  'kimi-k2.5': 0.6,
}

/** Claude 4.6 and newer. Opus 4.5, Sonnet 4.5, Haiku 4.5 and older models cost the same in every place. */
const residentClaude = [
  'claude-opus-4-6*',
  'claude-opus-4-7*',
  'claude-opus-4-8*',
  'claude-sonnet-4-6*',
  'claude-opus-5*',
  'claude-sonnet-5*',
  'claude-haiku-5*',
  'claude-fable-5*',
  'claude-mythos-5*',
]

/** OpenAI's models since 5 March 2026; older ones cost the same at every host. */
const regionalOpenai = ['gpt-5.4*', 'gpt-5.5*', 'gpt-5.6*', 'gpt-5.7*', 'gpt-5.8*', 'gpt-5.9*', 'gpt-6*']

const allAt = (models: readonly string[], ratio: number): Record<string, number> =>
  Object.fromEntries(models.map((model) => [model, ratio]))

const inTier = (tier: string, ratios: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(ratios).map(([models, ratio]) => [`${tier}:${models}`, ratio]))

/**
 * Service tier that answered → factor of the token prices; `tier:model` and `tier:prefix*` are for some models, and the most
 * specific one counts. Where a tier is not named it costs what the standard one does, as Groq's flex
 * (console.groq.com/docs/flex-processing) and Anthropic's priority (platform.claude.com/docs/en/api/service-tiers) do.
 * Bedrock's \`optimized\` latency is left out: its guide (docs.aws.amazon.com/bedrock/latest/userguide/latency-optimized-inference.html)
 * names no figure, so answers in it are provisional until the operator declares its factor.
 */
export const defaultTierRatios: Readonly<Record<string, number>> = {
  // developers.openai.com/api/docs/guides/flex-processing: tokens at the Batch price, half.
  ...inTier('flex', { 'gpt-5*': 0.5, 'gpt-6*': 0.5, 'o3*': 0.5, 'o4-mini*': 0.5 }),
  ...inTier('flex', allAt(onBedrock, 0.5)),
  ...inTier('priority', allAt(onBedrock, 1.75)),
  ...inTier('priority', openaiFast),
  ...inTier('fast', openaiFast),
  ...inTier('ultrafast', openaiUltrafast),
  // Answers of a batch say \`batch\`; price lists have a column \`batches\`.
  ...inTier('batch', batchFactors),
  ...inTier('batches', batchFactors),
  ...inTier('batch', allAt(onBedrock, 0.5)),
  ...inTier('batches', allAt(onBedrock, 0.5)),
  // platform.claude.com/docs/en/about-claude/pricing#data-residency-pricing: Claude 4.6 and newer, every kind of token.
  ...inTier('place_us', allAt(residentClaude, 1.1)),
  // docs.x.ai/developers/advanced-api-usage/regions: tokens at us.api.x.ai.
  'place_us:grok-*': 1.1,
  // developers.openai.com/api/docs/guides/data-residency: models since March 2026 at us.api.openai.com, eu.api.openai.com and the like.
  ...inTier('place_regional', allAt(regionalOpenai, 1.1)),
  // docs.x.ai/developers/advanced-api-usage/priority-processing.
  'priority:grok-*': 2,
  // ai.google.dev/gemini-api/docs/optimization: flex is half, priority 75 % to 100 % more (1.8 times in ai.google.dev/gemini-api/docs/pricing).
  'flex:gemini-*': 0.5,
  'priority:gemini-*': 1.8,
  // platform.claude.com/docs/en/build-with-claude/fast-mode.
  ...inTier('fast', { 'claude-opus-4-6*': 6, 'claude-opus-4-7*': 6, 'claude-opus-4-8*': 2, 'claude-opus-5*': 2 }),
}
