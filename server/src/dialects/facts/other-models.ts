import type { ModelFacts, RefusedMembers, ThinkingFacts } from './model-facts.ts'

/** Models of the makers whose APIs are OpenAI's chat completions. */

const read = '2026-11-29'
const earlier = '2026-11-23'
const lowToHigh = ['low', 'medium', 'high'] as const

/** `thinking: {type}`, on by default, and without forced tools. */
const switched: ThinkingFacts = { when: 'default', switch: 'thinking', forcedTools: false }
const always: ThinkingFacts = { ...switched, when: 'always' }
const never: ThinkingFacts = { when: 'never', switch: 'thinking' }
const lowHighMax = ['low', 'high', 'max'] as const

const deepseekApi = {
  source: 'https://api-docs.deepseek.com/guides/thinking_mode',
  read,
  limit: 'max_tokens',
  instructions: 'system',
  formats: 'object',
  cacheMinimum: 64,
} as const

/** The page lists what each effort becomes: since V4, `xhigh` is `high`. A forced tool beside thinking is refused (github.com/deepseek-ai/DeepSeek-V3/issues/1376). */
const deepseek: readonly ModelFacts[] = [
  { models: /^deepseek-(chat$|coder|llm|v2(?!\d)|v3(?!\.?\d)|vl|math|ocr)/, ...deepseekApi, thinking: never },
  { models: /^deepseek-reasoner/, ...deepseekApi, thinking: { ...always, flag: 'thinking' }, wantsThoughts: true },
  { models: /^deepseek-(r1(?!\d)|prover)/, ...deepseekApi, thinking: { when: 'always', switch: 'thinking' } },
  { models: /^deepseek-v3[.-]\d/, ...deepseekApi, thinking: { ...switched, when: 'asked', flag: 'thinking' } },
  {
    models: /^deepseek-[^/]+$/,
    ...deepseekApi,
    thinking: { ...switched, flag: 'thinking', efforts: lowHighMax, equalEfforts: { xhigh: 'high' } },
    wantsThoughts: true,
  },
]

const kimiApi = {
  source: 'https://platform.kimi.ai/docs/guide/use-thinking-effort',
  read,
  instructions: 'system',
  sampling: 'never',
  several: false,
  wantsThoughts: true,
} as const

/** Kimi since K2.5 accepts one temperature, one answer per call, and no forced tool while it thinks (can1357/oh-my-pi#1077). */
const kimi: readonly ModelFacts[] = [
  {
    models: /^kimi-k2-thinking/,
    source: 'https://platform.kimi.ai/docs/api/chat',
    read,
    instructions: 'system',
    formats: 'object',
    thinking: { ...always, flag: 'thinking' },
    wantsThoughts: true,
  },
  { models: /^kimi-k2[.-][56](?!\d)/, ...kimiApi, thinking: { ...switched, flag: 'thinking' } },
  { models: /^kimi-k2[.-][7-9](?!\d)/, ...kimiApi, thinking: { ...always, flag: 'thinking' } },
  {
    models: /^(kimi-(k[12](?!\d)|latest|thinking|dev|vl|linear)|moonshot-)/,
    source: 'https://platform.kimi.ai/docs/api/chat',
    read: earlier,
    instructions: 'system',
    formats: 'object',
  },
  {
    models: /^kimi-/,
    ...kimiApi,
    thinking: { when: 'always', switch: 'reasoning_effort', efforts: lowHighMax, forcedTools: false },
  },
]

const glmApi = {
  source: 'https://docs.z.ai/guides/capabilities/thinking-mode',
  read,
  limit: 'max_tokens',
  instructions: 'system',
  formats: 'object',
} as const

const glmThinks: ThinkingFacts = { when: 'default', switch: 'thinking' }

const glm: readonly ModelFacts[] = [
  { models: /^glm-4(\.[5-9]|-[5-9](?![\da-z]))/, ...glmApi, thinking: glmThinks },
  { models: /^(chatglm|charglm|codegeex|glm-[1-4](?!\d))/, ...glmApi, thinking: never },
  { models: /^glm-5([.-][01](?!\d))?(?![.\d]|-\d(?!\d))/, ...glmApi, thinking: glmThinks },
  {
    models: /^glm-5[.-]2(?!\d)/,
    ...glmApi,
    thinking: { ...glmThinks, efforts: ['minimal', ...lowToHigh, 'xhigh', 'max'] },
  },
  {
    models: /^glm-/,
    ...glmApi,
    thinking: { when: 'always', switch: 'reasoning_effort', efforts: lowHighMax },
  },
]

const qwenApi = {
  source: 'https://help.aliyun.com/zh/model-studio/deep-thinking',
  read,
  instructions: 'system',
  cacheMinimum: 256,
} as const

/** DashScope refuses a forced tool beside thinking (github.com/cloudwego/eino/issues/994). */
const qwenThinks: ThinkingFacts = {
  when: 'asked',
  switch: 'enable_thinking',
  forcedTools: false,
  budget: { least: 1, most: 81_920 },
}

const qwen: readonly ModelFacts[] = [
  {
    models:
      /^(qwen(1|2)(\.\d)?-|qwen-(max|vl-max|coder|long|math|doc|mt|omni-turbo|deep)|qwen3-(coder|.*instruct|omni.*instruct))/,
    ...qwenApi,
    thinking: { when: 'never', switch: 'enable_thinking' },
  },
  {
    models: /^(qwq|qvq)/,
    ...qwenApi,
    thinking: { ...qwenThinks, when: 'always', budget: { least: 1, most: 32_768 } },
  },
  { models: /^qwen.*-thinking/, ...qwenApi, thinking: { ...qwenThinks, when: 'always' } },
  { models: /^qwen-turbo/, ...qwenApi, thinking: { ...qwenThinks, budget: { least: 1, most: 38_912 } } },
  { models: /^(qwen-|qwen3-(max|vl))/, ...qwenApi, thinking: qwenThinks },
  {
    models: /^qwen3-/,
    ...qwenApi,
    thinking: { ...qwenThinks, when: 'default', budget: { least: 1, most: 38_912 } },
  },
  // The template since 3.5 refuses instructions behind the first message (github.com/ollama/ollama/issues/17774).
  { models: /^qwen/, ...qwenApi, thinking: { ...qwenThinks, when: 'default' }, laterInstructions: false },
]

/** Thoughts stand in the text unless `reasoning_split` asks otherwise (github.com/vellum-ai/vellum-assistant/pull/34556). */
const minimaxApi = {
  source: 'https://platform.minimax.io/docs/api-reference/text-openai-api',
  read,
  instructions: 'system',
  thoughtTags: true,
} as const

const minimax: readonly ModelFacts[] = [
  { models: /^abab/i, ...minimaxApi, thinking: never },
  { models: /^minimax-(m[12](?!\d)|text)/i, ...minimaxApi, thinking: { when: 'always', switch: 'thinking' } },
  { models: /^minimax-m3(?![.\d])/i, ...minimaxApi, thinking: { when: 'default', switch: 'thinking', on: 'adaptive' } },
  {
    models: /^minimax/i,
    ...minimaxApi,
    thinking: { when: 'always', switch: 'reasoning_effort', efforts: lowHighMax },
  },
]

const thoughtMembers = ['reasoning_content', 'reasoning', 'reasoning_details'] as const
const messageMembers = ['name', 'refusal', 'audio', 'annotations', 'function_call', ...thoughtMembers] as const

/** Mistral refuses members that it does not know, with 422 extra_forbidden (github.com/BerriAI/litellm/issues/30835). */
export const refusedByMistral: RefusedMembers = {
  request: new Set([
    ...[
      'store',
      'user',
      'safety_identifier',
      'metadata',
      'logit_bias',
      'logprobs',
      'top_logprobs',
      'modalities',
      'audio',
    ],
    ...['verbosity', 'service_tier', 'functions', 'function_call', 'web_search_options', 'prompt_cache_key', 'top_k'],
    ...['prompt_cache_retention', 'thinking', 'enable_thinking', 'thinking_budget', 'reasoning', 'min_p'],
    ...['repetition_penalty', 'chat_template_kwargs', 'include_reasoning', 'extra_body'],
  ]),
  messages: {
    system: new Set(messageMembers),
    user: new Set([...messageMembers, 'tool_calls', 'tool_call_id']),
    assistant: new Set([...messageMembers, 'tool_call_id']),
    tool: new Set(messageMembers.filter((name) => name !== 'name')),
  },
  renamed: { seed: 'random_seed' },
}

const mistralApi = {
  source: 'https://docs.mistral.ai/inference/conversations/reasoning',
  read,
  limit: 'max_tokens',
  instructions: 'system',
  refused: refusedByMistral,
  // "Unexpected role 'system' after role 'assistant'" (github.com/swarmauri/swarmauri-sdk/issues/162).
  laterInstructions: false,
  // "Unexpected role 'user' after role 'tool'", at every host (github.com/NousResearch/hermes-agent/issues/20154).
  answersResults: true,
  // "Expected last role User or Tool (or Assistant with prefix True)" (github.com/anomalyco/opencode/issues/19115).
  prefix: 'prefix',
} as const

const mistralEffort = (...efforts: NonNullable<ThinkingFacts['efforts']>[number][]): ThinkingFacts => ({
  when: 'asked',
  switch: 'reasoning_effort',
  efforts: ['none', ...efforts],
})

/** Small 4 and Medium 3.5 take the efforts none and high (github.com/pydantic/pydantic-ai/issues/5285), Large 4 those between, too. */
const mistral: readonly ModelFacts[] = [
  { models: /^magistral/, ...mistralApi, thinking: { when: 'always', switch: 'reasoning_effort' } },
  {
    models:
      /^(open-|mixtral|ministral|codestral|devstral|pixtral|mistral-(tiny|nemo|embed|ocr|moderation|saba|7b|8x|(small|medium|large)-(2[0-5]\d\d|[12]([.-]|$))|small-3(?!\d)|medium-3([.-][0-4])?(?![.\d-]|\d)|large-3(?!\d)))/,
    ...mistralApi,
    thinking: { when: 'never', switch: 'reasoning_effort' },
  },
  { models: /^mistral-(small|medium)/, ...mistralApi, thinking: mistralEffort('high') },
  { models: /^mistral/, ...mistralApi, thinking: mistralEffort(...lowToHigh) },
]

const grok = { source: 'https://docs.x.ai/docs/guides/reasoning', read: earlier, stop: false } as const

/** The field of Grok's effort is `reasoning_effort`; models that refuse it always think. */
const grokEffort = (efforts: ModelFacts['efforts'] & object): Pick<ModelFacts, 'efforts' | 'thinking'> => ({
  efforts,
  thinking: { when: efforts.includes('none') ? 'default' : 'always', switch: 'reasoning_effort', efforts },
})

export const otherModels: readonly ModelFacts[] = [
  ...deepseek,
  // xAI. Grok 4 refuses penalties, stop and, up to 4.2, efforts.
  { models: /^grok-3-mini/, ...grok, limit: 'max_completion_tokens', ...grokEffort(['low', 'high']) },
  { models: /^grok-4(\.20?|-|$)/, ...grok, efforts: [] },
  { models: /^grok-(4\.([5-9]|\d\d)|[5-9]|\d\d)/, ...grok, ...grokEffort(lowToHigh), usualEffort: 'high' },
  { models: /^grok-4\.3/, ...grok, ...grokEffort(['none', ...lowToHigh]) },
  ...mistral,
  ...kimi,
  ...glm,
  ...qwen,
  ...minimax,
  {
    models: /^doubao-seed-(1[.-][89]|[2-9])/,
    source: 'https://www.volcengine.com/docs/82379/1449737',
    read,
    thinking: { when: 'default', switch: 'thinking', efforts: ['minimal', ...lowToHigh] },
  },
  {
    models: /^doubao-(seed-1|1[.-]5-thinking)/,
    source: 'https://www.volcengine.com/docs/82379/1449737',
    read,
    thinking: { when: 'default', switch: 'thinking' },
  },
  // Nova takes type, properties and required at the root.
  {
    models: /^nova-/,
    source: 'https://docs.aws.amazon.com/nova/latest/userguide/tool-use-definition.html',
    read,
    plainRoots: true,
  },
]
