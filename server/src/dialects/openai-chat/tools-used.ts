import type { Usage } from '../../billing/usage.ts'
import { type JsonObject, textOf } from '../conversation/json.ts'
import { toolsStated } from '../tools/openai-tools-used.ts'
import { type Extras, extrasOf, tierOf, withExtras } from '../tools/tools-used.ts'

/**
 * OpenAI's search models look into the web before each of their answers, whether they quote it or not
 * (developers.openai.com/api/docs/guides/tools-web-search); the preview ones have the older tool's price.
 */
const searchOf = (model: string): Record<string, number> => {
  if (model.includes('-search-preview')) return { web_search_preview: 1 }
  return model.includes('-search-api') ? { web_search: 1 } : {}
}

/** Of an answer or a chunk. */
export const chatExtras = ({ model, usage, service_tier: tier }: JsonObject): Extras =>
  extrasOf({ ...searchOf(textOf(model)), ...toolsStated(usage) }, tierOf(tier))

export const withChatExtras = (usage: Usage | undefined, answer: JsonObject): Usage | undefined =>
  usage === undefined ? undefined : withExtras(usage, chatExtras(answer))

/** What is certain once a stream has begun. */
export const toolsAtStart = (chunk: JsonObject): Extras['tools'] =>
  extrasOf(searchOf(textOf(chunk.model)), undefined).tools
