import { noUsage, type Usage } from '../../billing/usage.ts'
import { usageFromOpenai } from '../../billing/usage-openai.ts'
import { type JsonObject, membersOf } from '../../dialects/conversation/json.ts'

/** Usage of an answer that reports a total only (Jina, Voyage), or in a place of its own (SiliconFlow); undefined for others. */
export const totalUsage = (answer: JsonObject): Usage | undefined => {
  const total = membersOf(answer.usage).total_tokens
  if (typeof total === 'number' && Number.isSafeInteger(total) && total > 0) return { ...noUsage, input: total }
  return usageFromOpenai(membersOf(answer.meta).tokens)
}
