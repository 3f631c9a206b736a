import { hostOf } from '../../dialects/facts/hosts.ts'
import type { ChatCapabilities } from '../../dialects/openai-chat/capabilities.ts'

/** Capabilities of most OpenAI-compatible providers; nothing that only OpenAI has. */
export const plainCapabilities: Partial<ChatCapabilities> = {
  host: hostOf(''),
  maxTokens: 'max_tokens',
  customTools: false,
  cacheKeys: false,
  effort: () => false,
  developers: false,
  toolLists: false,
  search: () => false,
}
