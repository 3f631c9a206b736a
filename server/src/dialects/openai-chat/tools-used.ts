import type { Usage } from '../../billing/usage.ts'
import { withClaudeParts } from '../anthropic/billed/claude-parts.ts'
import { type JsonObject, membersOf, textOf } from '../conversation/json.ts'
import { toolsStated } from '../tools/openai-tools-used.ts'
import { type Extras, extrasOf, saysStandard, tierAmong, withExtras } from '../tools/tools-used.ts'

/**
 * OpenAI's search models search the web once per answer, with or without citations
 * (developers.openai.com/api/docs/guides/tools-web-search). The preview models bill the older tool.
 */
const searchOf = (model: string): Record<string, number> => {
  if (model.includes('-search-preview')) return { web_search_preview: 1 }
  return model.includes('-search-api') ? { web_search: 1 } : {}
}

/** Billed tools and service tier of an answer or a chunk. */
export const chatExtras = ({ model, usage, service_tier: tier }: JsonObject): Extras =>
  extrasOf(
    { ...searchOf(textOf(model)), ...toolsStated(usage) },
    // Mistral and gateways say it in the usage.
    tierAmong(tier, membersOf(usage).service_tier),
  )

/** True if an answer or a chunk states the standard tier. */
export const statesStandard = ({ usage, service_tier: tier }: JsonObject): boolean =>
  saysStandard(tier, membersOf(usage).service_tier)

export const withChatExtras = (usage: Usage | undefined, answer: JsonObject): Usage | undefined => {
  const whole = withExtras(usage, chatExtras(answer))
  return whole && withClaudeParts(whole, membersOf(answer.usage))
}

/** Billed tool calls that are certain from the first chunk. */
export const toolsAtStart = (chunk: JsonObject): Extras['tools'] =>
  extrasOf(searchOf(textOf(chunk.model)), undefined).tools
