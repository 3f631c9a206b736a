import type { PromptReader } from '../../../src/billing/counting/prompt.ts'
import { type JsonObject, objectsOf, textOf } from '../../../src/dialects/conversation/json.ts'

function* pieces(body: JsonObject): Iterable<string> {
  for (const { text, order, answer } of objectsOf(body.lines)) yield textOf(text) + textOf(order) + textOf(answer)
}

export const promptReader: PromptReader = { module: import.meta.url, read: (_, body) => pieces(body) }
