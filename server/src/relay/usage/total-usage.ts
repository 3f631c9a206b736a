import type { Usage } from '../../billing/usage.ts'
import { promptUsage, usageFromOpenai } from '../../billing/usage-openai.ts'
import { type JsonObject, membersOf } from '../../dialects/conversation/json.ts'

/** Usage of an answer that reports a total only (Jina, Voyage), or in a place of its own (SiliconFlow); undefined for others. */
export const totalUsage = (answer: JsonObject): Usage | undefined =>
  promptUsage(answer.usage) ?? usageFromOpenai(membersOf(answer.meta).tokens)
