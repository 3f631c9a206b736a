import {
  allOf,
  below,
  type DeclaredMembers,
  type MemberMeanings,
  type UnknownKind,
  type UsageDialect,
} from './meanings.ts'
import { mediaMembers } from './media-members.ts'
import { declaredPlaces } from './places.ts'

const openaiPrompt: MemberMeanings = {
  cached_tokens: 'billed as cache_read',
  cache_write_tokens: 'billed as cache_write',
  'cache_write_tokens_details.ttl_30m_tokens': 'billed as cache_write',
  'cache_write_tokens_details.ttl_12h_tokens': 'billed as cache_write_1h',
  cache_creation_tokens: 'billed as cache_write',
  cache_creation_input_tokens: 'billed as cache_write',
  'cache_creation.ephemeral_5m_input_tokens': 'billed as cache_write',
  'cache_creation.ephemeral_1h_input_tokens': 'billed as cache_write_1h',
  cache_type: 'billed as explicit_cache_read where it is one of the client’s own',
  audio_tokens: 'billed as audio_input',
  image_tokens: 'billed as image_input',
  video_tokens: 'billed as video_input',
  text_tokens: 'part of prompt_tokens',
  multimodal_tokens: 'part of prompt_tokens',
  grok_tokens: 'part of prompt_tokens',
  'cached_tokens_details.audio_tokens': 'billed as audio_cache_read',
  'cached_tokens_details.image_tokens': 'billed as image_cache_read',
  'cached_tokens_details.text_tokens': 'part of cached_tokens',
}

const openaiCompletion: MemberMeanings = {
  reasoning_tokens: 'billed as reasoning',
  audio_tokens: 'billed as audio_output',
  image_tokens: 'billed as image_output',
  text_tokens: 'part of completion_tokens',
  grok_tokens: 'part of completion_tokens',
  accepted_prediction_tokens: 'part of completion_tokens',
  rejected_prediction_tokens: 'part of completion_tokens',
}

/** Anthropic's usage, of a message and of each of its iterations (platform.claude.com/docs/en/api/messages, Usage). */
const anthropicTokens: MemberMeanings = {
  input_tokens: 'billed as input',
  output_tokens: 'billed as output',
  cache_read_input_tokens: 'billed as cache_read',
  cache_creation_input_tokens: 'billed as cache_write',
  'cache_creation.ephemeral_5m_input_tokens': 'billed as cache_write',
  'cache_creation.ephemeral_1h_input_tokens': 'billed as cache_write_1h',
  'output_tokens_details.thinking_tokens': 'part of output_tokens',
}

const anthropic: MemberMeanings = {
  ...anthropicTokens,
  'server_tool_use.web_search_requests': 'billed as tool web_search',
  'server_tool_use.web_fetch_requests': 'billed as tool web_fetch',
  'server_tool_use.code_execution_requests': 'billed as tool code_execution',
  'server_tool_use.tool_search_requests': 'informative',
  service_tier: 'billed as tier',
  speed: 'billed as tier',
  inference_geo: 'billed as place',
  ...below('iterations', anthropicTokens),
  'iterations.type': 'billed as iteration',
  'iterations.model': 'billed as model of the iteration',
  'iterations.service_tier': 'billed as tier',
  'iterations.speed': 'billed as tier',
  'iterations.inference_geo': 'billed as place',
  'iterations.server_tool_use.web_search_requests': 'part of server_tool_use',
  'iterations.server_tool_use.web_fetch_requests': 'part of server_tool_use',
  'iterations.server_tool_use.code_execution_requests': 'part of server_tool_use',
}

/** Usage of Bedrock guardrails: they have a price of their own, billed to the account that set them up (aws.amazon.com/bedrock/pricing). */
const guardrails: MemberMeanings = {
  topicPolicyUnits: 'informative',
  contentPolicyUnits: 'informative',
  contentPolicyImageUnits: 'informative',
  wordPolicyUnits: 'informative',
  sensitiveInformationPolicyUnits: 'informative',
  sensitiveInformationPolicyFreeUnits: 'informative',
  contextualGroundingPolicyUnits: 'informative',
  automatedReasoningPolicies: 'informative',
  automatedReasoningPolicyUnits: 'informative',
}

/** Cost of a call in dollars as gateways and providers state it (`billing/stated`). */
const gatewayCosts: MemberMeanings = {
  cost: 'billed as stated cost',
  ...allOf('cost', 'billed as stated cost', [
    'total_cost',
    'input_cost',
    'output_cost',
    'input_tokens_cost',
    'output_tokens_cost',
    'reasoning_tokens_cost',
    'citation_tokens_cost',
    'request_cost',
    'search_queries_cost',
    'tool_calls_cost',
    'cache_creation_cost',
    'cache_read_cost',
    'currency',
  ]),
  ...allOf('cost_details', 'billed as stated cost', [
    'upstream_inference_cost',
    'upstream_inference_prompt_cost',
    'upstream_inference_completions_cost',
    'upstream_inference_input_cost',
    'upstream_inference_output_cost',
  ]),
  market_cost: 'informative',
  is_byok: 'informative',
  cost_in_usd_ticks: 'billed as stated cost',
  estimated_cost: 'billed as stated cost',
  cost_usd_total: 'billed as stated cost',
  cost_usd_input: 'billed as stated cost',
  cost_usd_output: 'billed as stated cost',
  cost_usd_cached_input: 'billed as stated cost',
  cost_usd_request: 'billed as stated cost',
  cost_usd_data_storage: 'informative',
}

const openai: readonly DeclaredMembers[] = [
  {
    by: 'OpenAI, Azure and all that speak their dialect',
    members: {
      prompt_tokens: 'billed as input',
      completion_tokens: 'billed as output',
      input_tokens: 'billed as input',
      output_tokens: 'billed as output',
      total_tokens: 'billed as input or output that is in no other member',
      service_tier: 'billed as tier',
      type: 'informative',
      seconds: 'billed as duration',
      ...below('prompt_tokens_details', openaiPrompt),
      ...below('prompt_token_details', openaiPrompt),
      ...below('input_tokens_details', openaiPrompt),
      ...below('input_token_details', openaiPrompt),
      ...below('completion_tokens_details', openaiCompletion),
      ...below('output_tokens_details', openaiCompletion),
      ...below('output_token_details', openaiCompletion),
    },
  },
  {
    by: 'Azure',
    members: {
      audio_prompt_tokens: 'part of prompt_tokens',
      ...allOf('latency_checkpoint', 'informative', [
        'engine_tbt_ms',
        'engine_ttft_ms',
        'engine_ttlt_ms',
        'pre_inference_ms',
        'service_tbt_ms',
        'service_ttft_ms',
        'service_ttlt_ms',
        'total_duration_ms',
        'user_visible_ttft_ms',
      ]),
    },
  },
  {
    by: 'DeepSeek, Moonshot, Mistral',
    members: {
      prompt_cache_hit_tokens: 'billed as cache_read',
      prompt_cache_miss_tokens: 'part of prompt_tokens',
      cached_tokens: 'billed as cache_read',
      num_cached_tokens: 'billed as cache_read',
      prompt_audio_seconds: 'part of prompt_tokens',
      request_count: 'informative',
      reasoning_tokens: 'part of completion_tokens',
    },
  },
  { by: 'Vercel, Databricks and other gateways to Anthropic', members: anthropic },
  {
    by: 'Claude through gateways, in names of their own',
    members: {
      claude_cache_creation_5_m_tokens: 'part of cache_creation_input_tokens',
      claude_cache_creation_1_h_tokens: 'part of cache_creation_input_tokens',
    },
  },
  {
    by: 'Groq, Cerebras',
    members: {
      queue_time: 'informative',
      prompt_time: 'informative',
      completion_time: 'informative',
      total_time: 'informative',
    },
  },
  {
    by: 'xAI',
    members: {
      num_sources_used: 'billed as tool live_search',
      num_server_side_tools_used: 'part of server_side_tool_usage_details',
      'server_side_tool_usage_details.web_search_calls': 'billed as tool web_search',
      'server_side_tool_usage_details.x_search_calls': 'billed as tool x_search',
      'server_side_tool_usage_details.code_interpreter_calls': 'billed as tool code_interpreter',
      'server_side_tool_usage_details.file_search_calls': 'billed as tool file_search',
      'server_side_tool_usage_details.document_search_calls': 'billed as tool attachment_search',
      'server_side_tool_usage_details.image_generation_calls': 'billed as tool image_generation',
      'server_side_tool_usage_details.mcp_calls': 'informative',
      'context_details.input_tokens': 'part of input_tokens',
      'context_details.output_tokens': 'part of output_tokens',
      billable_audio_seconds: 'part of output_tokens',
      output_audio_seconds: 'informative',
    },
  },
  {
    by: 'OpenRouter, Vercel, Perplexity and other gateways that state what a call cost',
    members: {
      ...gatewayCosts,
      receipt: 'informative',
      num_search_queries: 'billed as tool search_query',
      search_context_size: 'billed as tool by size',
      citation_tokens: 'part of prompt_tokens',
      'server_tool_use_details.web_search_requests': 'billed as tool web_search',
      'server_tool_use_details.tool_calls_executed': 'informative',
      'server_tool_use_details.tool_calls_requested': 'informative',
      'server_tool_use.tool_calls_executed': 'informative',
      'server_tool_use.tool_calls_requested': 'informative',
    },
  },
  {
    by: 'Alibaba',
    members: {
      'plugins.search.count': 'informative',
      'plugins.search.strategy': 'informative',
      image_count: 'billed as picture',
      image_tokens: 'part of input_tokens',
      video_tokens: 'part of input_tokens',
      audio_tokens: 'part of input_tokens',
      size: 'informative',
      width: 'informative',
      height: 'informative',
      ...allOf('models', 'part of the sums', ['model_id', 'input_tokens', 'output_tokens']),
    },
  },
  {
    by: 'Volcengine',
    members: {
      generated_images: 'billed as picture',
      'prompt_tokens_details.provisioned_tokens': 'part of prompt_tokens',
      'completion_tokens_details.provisioned_tokens': 'part of completion_tokens',
    },
  },
  {
    by: 'MiniMax, iFlytek',
    members: {
      // Of models that are sold by characters no more.
      total_characters: 'informative',
      question_tokens: 'part of prompt_tokens',
    },
  },
  {
    by: 'Jina, Voyage',
    members: {
      text_tokens: 'part of total_tokens',
      image_pixels: 'part of total_tokens',
      video_pixels: 'part of total_tokens',
    },
  },
  {
    by: 'servers of one’s own (vLLM, GPUStack, llama.cpp, SGLang) and Dify',
    members: {
      draft_tokens: 'informative',
      draft_tokens_acceptance: 'informative',
      prompt_tokens_per_second: 'informative',
      time_per_output_token_ms: 'informative',
      time_to_first_token_ms: 'informative',
      tokens_per_second: 'informative',
      latency: 'informative',
      prompt_unit_price: 'informative',
      prompt_price_unit: 'informative',
      prompt_price: 'informative',
      completion_unit_price: 'informative',
      completion_price_unit: 'informative',
      completion_price: 'informative',
      total_price: 'informative',
      currency: 'informative',
      time_to_first_token: 'informative',
      time_to_generate: 'informative',
    },
  },
]

const pictureMembers: MemberMeanings = {
  input_tokens: 'billed as image_generation',
  output_tokens: 'billed as image_generation',
  total_tokens: 'part of the counts beside it',
  'input_tokens_details.text_tokens': 'billed as image_generation',
  'input_tokens_details.image_tokens': 'billed as image_generation',
  'input_tokens_details.cached_tokens': 'billed as image_generation',
  'output_tokens_details.text_tokens': 'billed as image_generation',
  'output_tokens_details.image_tokens': 'billed as image_generation',
}

const detailsOf = (name: string): MemberMeanings => ({
  [`${name}.modality`]: 'billed as this kind of tokens',
  [`${name}.tokenCount`]: 'part of the sum',
})

/** Members that a gateway like this one adds if it is asked for the cost (`dialects/cost`). */
const gatewayLikeThis: DeclaredMembers = {
  by: 'gateways like this one',
  members: { cost: 'billed as stated cost', receipt: 'informative' },
}

/** All declared members by dialect. */
export const declaredMembers: Readonly<Record<UsageDialect, readonly DeclaredMembers[]>> = {
  openai,
  'responses-tools': [
    {
      by: 'OpenAI, Azure',
      members: { ...below('image_gen', pictureMembers), 'web_search.num_requests': 'billed as tool web_search' },
    },
  ],
  anthropic: [
    { by: 'Anthropic, Vertex AI, Bedrock', members: { ...anthropic, ...guardrails } },
    { by: 'gateways that state what a message cost', members: { ...gatewayCosts, receipt: 'informative' } },
  ],
  gemini: [
    {
      by: 'Google, Vertex AI',
      members: {
        promptTokenCount: 'billed as input',
        candidatesTokenCount: 'billed as output',
        responseTokenCount: 'billed as output',
        thoughtsTokenCount: 'billed as reasoning',
        toolUsePromptTokenCount: 'billed as input',
        cachedContentTokenCount: 'billed as cache_read',
        totalTokenCount: 'part of the counts beside it',
        serviceTier: 'billed as tier',
        trafficType: 'billed as tier',
        ...detailsOf('promptTokensDetails'),
        ...detailsOf('promptTokenDetails'),
        ...detailsOf('candidatesTokensDetails'),
        ...detailsOf('responseTokensDetails'),
        ...detailsOf('cacheTokensDetails'),
        ...detailsOf('toolUsePromptTokensDetails'),
        billablePromptUsage: 'informative',
        // Of cached contents (cloud.google.com/vertex-ai/generative-ai/docs/reference/rest/v1/projects.locations.cachedContents).
        textCount: 'part of totalTokenCount',
        imageCount: 'part of totalTokenCount',
        videoDurationSeconds: 'part of totalTokenCount',
        audioDurationSeconds: 'part of totalTokenCount',
      },
    },
    gatewayLikeThis,
  ],
  bedrock: [
    {
      by: 'Bedrock',
      members: {
        inputTokens: 'billed as input',
        outputTokens: 'billed as output',
        totalTokens: 'part of the counts beside it',
        cacheReadInputTokens: 'billed as cache_read',
        cacheWriteInputTokens: 'billed as cache_write',
        cacheReadInputTokenCount: 'part of cacheReadInputTokens',
        cacheWriteInputTokenCount: 'part of cacheWriteInputTokens',
        'cacheDetails.ttl': 'billed as cache_write of this lifetime',
        'cacheDetails.inputTokens': 'part of cacheWriteInputTokens',
        'serverToolUsage.webSearchRequests': 'billed as tool web_search',
        ...guardrails,
      },
    },
  ],
  cohere: [
    {
      by: 'Cohere, of chats in `usage`, of vectors and reranking in `meta`',
      members: {
        'api_version.*': 'informative',
        'warnings.*': 'informative',
        'billed_units.input_tokens': 'billed as input',
        'billed_units.output_tokens': 'billed as output',
        'billed_units.image_tokens': 'billed as image_input',
        'billed_units.images': 'informative',
        'billed_units.search_units': 'billed as queries',
        'billed_units.classifications': 'informative',
        'tokens.input_tokens': 'billed as input',
        'tokens.output_tokens': 'billed as output',
        'tokens.image_tokens': 'part of input_tokens',
        'tokens.reasoning_tokens': 'billed as reasoning',
        cached_tokens: 'billed as cache_read',
      },
    },
  ],
  ollama: [
    {
      by: 'Ollama, whose answers have no object for usage',
      members: {
        prompt_eval_count: 'billed as input',
        eval_count: 'billed as output',
        total_duration: 'informative',
        load_duration: 'informative',
        prompt_eval_duration: 'informative',
        eval_duration: 'informative',
        model: 'informative',
        remote_model: 'informative',
        remote_host: 'informative',
        created_at: 'informative',
        done: 'informative',
        done_reason: 'informative',
        response: 'informative',
        thinking: 'informative',
        'message.*': 'informative',
        'context.*': 'informative',
        'logprobs.*': 'informative',
        'embeddings.*': 'informative',
      },
    },
  ],
  ...mediaMembers,
}

/** Members whose value chooses a price, with the values that are understood. `count` is the member beside it that holds the tokens. */
export interface DeclaredValues {
  readonly kind: UnknownKind
  readonly known: readonly unknown[]
  readonly count?: string
}

const modalities: DeclaredValues = {
  kind: 'usage',
  known: ['TEXT', 'IMAGE', 'AUDIO', 'VIDEO', 'DOCUMENT', 'MODALITY_UNSPECIFIED'],
  count: 'tokenCount',
}

/** platform.claude.com/docs/en/build-with-claude/data-residency: `us` asks 1.1 times, the others the price of everywhere. */
const places: DeclaredValues = { kind: 'geo', known: declaredPlaces }

const anthropicValues: Readonly<Record<string, DeclaredValues>> = {
  inference_geo: places,
  'iterations.inference_geo': places,
}

export const declaredValues: Readonly<Record<UsageDialect, Readonly<Record<string, DeclaredValues>>>> = {
  openai: {
    ...anthropicValues,
    search_context_size: { kind: 'tool', known: ['low', 'medium', 'high'] },
    'prompt_tokens_details.cache_type': { kind: 'cache', known: ['ephemeral', 'implicit', 'explicit', 'session'] },
  },
  'responses-tools': {},
  anthropic: anthropicValues,
  gemini: {
    'promptTokensDetails.modality': modalities,
    'candidatesTokensDetails.modality': modalities,
    'responseTokensDetails.modality': modalities,
    'cacheTokensDetails.modality': modalities,
    'toolUsePromptTokensDetails.modality': modalities,
  },
  bedrock: { 'cacheDetails.ttl': { kind: 'cache', known: ['5m', '1h'], count: 'inputTokens' } },
  cohere: {},
  ollama: {},
  predict: {},
  titan: {},
  sound: {},
  drawn: {},
}
