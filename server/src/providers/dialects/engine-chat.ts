import { hostOf } from '../../dialects/facts/hosts.ts'
import type { ChatCapabilities } from '../../dialects/openai-chat/capabilities.ts'
import { openaiChat } from '../../dialects/openai-chat/dialect.ts'
import type { PromptCounts, ProviderDialect } from '../provider.ts'
import { plainCapabilities } from './plain-capabilities.ts'

/** Members of requests that only engines have: they pass from every dialect. */
const engineMembers = [
  ...[
    'chat_template_kwargs',
    'top_k',
    'min_p',
    'typical_p',
    'repetition_penalty',
    'repeat_penalty',
    'length_penalty',
    'min_tokens',
  ],
  ...[
    'ignore_eos',
    'stop_token_ids',
    'skip_special_tokens',
    'guided_json',
    'guided_regex',
    'guided_choice',
    'guided_grammar',
  ],
  ...[
    'structured_outputs',
    'regex',
    'ebnf',
    'grammar',
    'json_schema',
    'n_predict',
    'cache_prompt',
    'id_slot',
    'mirostat',
  ],
  ...['dry_multiplier', 'xtc_probability', 'samplers', 'truncate_prompt_tokens', 'priority'],
] as const

const capabilities: Partial<ChatCapabilities> = {
  ...plainCapabilities,
  // Its models are never treated as OpenAI's, even under such names.
  ownModels: false,
  streamOptions: true,
  thoughts: 'reasoning_content',
  effort: () => true,
  topK: true,
  passes: engineMembers,
}

/**
 * Chat completions as inference engines have them (vLLM, llama.cpp, SGLang): with thoughts in the history, `top_k` and the members that
 * only they have. `host` names a row of the table in `dialects/facts`; an empty one has no rules.
 */
export const engineChat = (host: string): ProviderDialect => {
  const chat = openaiChat({ ...capabilities, host: hostOf(host) })
  return { name: chat.name, dialect: () => chat, path: '/v1/chat/completions' }
}

/** llama.cpp counts a whole chat request, vLLM and SGLang its messages. */
export const enginePromptCounts = (language: ProviderDialect): PromptCounts => ({
  language,
  places: [
    { path: '/v1/chat/completions/input_tokens', member: 'input_tokens' },
    { path: '/tokenize', member: 'count' },
  ],
})
