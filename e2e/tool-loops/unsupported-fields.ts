/** Unsupported fields that clients and operators see: program → kind of target → fields of its last call. */
export const lostFields: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'Claude Code': {
    chat: ['cache_control', 'messages.tool_result.is_error'],
    deepseek: ['cache_control', 'messages.tool_result.is_error'],
    responses: ['cache_control', 'messages.tool_result.is_error'],
    gemini: ['cache_control', 'user'],
  },
  Codex: {
    deepseek: ['prompt_cache_key', 'tools.custom.format'],
    anthropic: ['prompt_cache_key', 'tools.custom.format'],
    gemini: ['prompt_cache_key', 'tools.custom.format'],
  },
  'Gemini CLI': {
    chat: ['messages.tool_result.is_error', 'top_k', 'top_p'],
    deepseek: ['messages.tool_result.is_error', 'top_k'],
    responses: ['messages.tool_result.is_error', 'top_k', 'top_p'],
    anthropic: ['top_k'],
  },
}
