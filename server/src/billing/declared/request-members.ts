import { z } from 'zod'
import json from './request-members.json' with { type: 'json' }

/**
 * Every member of a request by which its sender may choose a model, or what decides about one, declared once. A path joins names by
 * dots; members of lists have the path of their list, and `*` stands for every name that is not declared beside it. Names are
 * compared without regard to case and underscores, as some servers read them.
 *
 * - `names models`: the value holds names of models, which are checked like `model`.
 * - `names a preset`: the value names settings that are kept at the provider, with a model of their own: `x` is the model `@preset/x`.
 * - `chooses a route`: the provider decides by it which model or account answers, and this gateway cannot know which.
 * - `chooses a host`: it says which host answers for the models that are named, whose prices differ.
 * - `body`: the value is read like a body of its own.
 * - `chooses nothing`: it stands beside members that do.
 */
const meanings = [
  'names models',
  'names a preset',
  'chooses a route',
  'chooses a host',
  'body',
  'chooses nothing',
] as const

export type RequestMeaning = (typeof meanings)[number]

const row = z.strictObject({
  /** The providers that read them. */
  by: z.string().min(1),
  /** Address of the documentation. */
  source: z.string().min(1),
  members: z.record(z.string().min(1), z.enum(meanings)),
})

const table = z.strictObject({ about: z.string().min(1), rows: z.array(row).min(1) })

export const declaredRequestMembers: readonly z.output<typeof row>[] = table.parse(json).rows

/** Plugins of OpenRouter that use no other model; each other one chooses a route (openrouter.ai/docs/guides/features/plugins). */
export const plainPlugins: ReadonlySet<unknown> = new Set([
  ...['web', 'file-parser', 'pdf', 'response-healing', 'context-compression', 'moderation'],
])

/** Server tools of OpenRouter that use no other model; each other one does (openrouter.ai/docs/guides/features/server-tools). */
export const plainServerTools: ReadonlySet<unknown> = new Set([
  ...['openrouter:web_search', 'openrouter:web_fetch', 'openrouter:datetime'],
])

/** Hosted tools that use a model of their own, and the one that they use where the request names none. */
export const modelOfTool: ReadonlyMap<unknown, string> = new Map([['image_generation', 'gpt-image-1']])

/** Names of top-level members that choose no model, as the dialects and their providers have them. */
export const plainMembers: ReadonlySet<string> = new Set([
  // Members that every call has, read by the gateway itself; `tools` and `generationConfig` are looked into.
  ...['model', 'messages', 'input', 'prompt', 'contents', 'instructions', 'system', 'stream', 'stream_options'],
  ...[
    'max_tokens',
    'max_completion_tokens',
    'max_output_tokens',
    'n',
    'store',
    'background',
    'deferred',
    'service_tier',
  ],
  ...['temperature', 'top_p', 'top_k', 'min_p', 'seed', 'stop', 'stop_sequences', 'frequency_penalty'],
  ...['presence_penalty', 'repetition_penalty', 'logit_bias', 'logprobs', 'top_logprobs', 'best_of', 'echo', 'suffix'],
  ...[
    'tool_choice',
    'parallel_tool_calls',
    'functions',
    'function_call',
    'response_format',
    'text',
    'modalities',
    'audio',
  ],
  ...['reasoning', 'reasoning_effort', 'reasoning_format', 'include_reasoning', 'thinking', 'thinking_budget'],
  ...['enable_thinking', 'chat_template_kwargs', 'verbosity', 'prediction', 'web_search_options', 'search_parameters'],
  ...['user', 'safety_identifier', 'metadata', 'prompt_cache_key', 'prompt_cache_options', 'prompt_cache_retention'],
  ...['include', 'previous_response_id', 'conversation', 'truncation', 'max_tool_calls', 'context_management'],
  ...[
    'moderation',
    'transforms',
    'cache_control',
    'mcp_servers',
    'container',
    'output_config',
    'output_format',
    'speed',
  ],
  ...['inference_geo', 'anthropic_version', 'anthropic_beta', 'betas', 'systemInstruction', 'system_instruction'],
  ...['safetySettings', 'safety_settings', 'toolConfig', 'tool_config', 'cachedContent', 'cached_content', 'labels'],
  ...['serviceTier', 'modelArmorConfig', 'model_armor_config', 'dimensions', 'encoding_format', 'input_type', 'query'],
  ...['documents', 'top_n', 'return_documents', 'size', 'quality', 'style', 'image', 'mask', 'voice'],
  ...[
    'file',
    'language',
    'timestamp_granularities',
    'chunking_strategy',
    'options',
    'format',
    'keep_alive',
    'type',
    'id',
  ],
  ...['extra_headers', 'extra_query', 'parameters', 'usage', 'response', 'title', 'tags', 'trace'],
])

/** Those of them that hold settings: a name below them that looks as if it named a model counts as a new member that does. */
export const settingMembers: ReadonlySet<string> = new Set([
  ...['stream_options', 'reasoning', 'thinking', 'web_search_options', 'search_parameters', 'audio', 'moderation'],
  ...['context_management', 'mcp_servers', 'container', 'output_config', 'output_format', 'prompt_cache_options'],
  ...['options', 'parameters', 'extra_headers', 'extra_query', 'chunking_strategy', 'toolConfig', 'tool_config'],
])

/** Names of a tool's members that choose no model. */
export const plainToolMembers: ReadonlySet<string> = new Set([
  ...['name', 'function', 'description', 'input_schema', 'strict', 'cache_control', 'functionDeclarations', 'custom'],
  ...['function_declarations', 'googleSearch', 'google_search', 'codeExecution', 'code_execution', 'urlContext'],
  ...['url_context', 'googleMaps', 'google_maps', 'googleSearchRetrieval', 'google_search_retrieval', 'defer_loading'],
  ...[
    'allowed_callers',
    'input_examples',
    'max_uses',
    'allowed_domains',
    'blocked_domains',
    'user_location',
    'filters',
  ],
  ...['vector_store_ids', 'max_num_results', 'ranking_options', 'search_context_size', 'container', 'format'],
  ...['display_height_px', 'display_width_px', 'display_width', 'display_height', 'environment', 'server_label'],
  ...[
    'server_url',
    'server_description',
    'connector_id',
    'headers',
    'authorization',
    'require_approval',
    'allowed_tools',
  ],
  ...['size', 'quality', 'background', 'output_format', 'output_compression', 'partial_images', 'input_fidelity'],
  ...['moderation', 'action', 'input_image_mask', 'fileSearch', 'file_search', 'external_web_access', 'execution'],
  ...[
    'max_tokens',
    'computerUse',
    'computer_use',
    'max_content_tokens',
    'citations',
    'max_characters',
    'mcp_server_name',
    'configs',
    'default_config',
    'eager_input_streaming',
  ],
])

/** Names in a JSON Schema: those of a tool's parameters where they are no settings. */
export const schemaMembers: ReadonlySet<string> = new Set([
  ...['type', 'properties', 'required', 'additionalProperties', 'description', 'title', 'items', 'enum', '$schema'],
  ...['$defs', 'definitions', '$id', '$ref', '$comment', 'anyOf', 'oneOf', 'allOf', 'not', 'default', 'examples'],
  ...['format', 'nullable', 'propertyOrdering', 'patternProperties', 'strict', 'minProperties', 'maxProperties'],
])

/** Other names of members that look as if they named a model or a route: new members of providers count as naming models. */
export const looksLikeModels = /model|fallback|preset|deployment|rout(?:e|ing)/
