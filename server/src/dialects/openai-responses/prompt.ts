import type { Pieces } from '../../billing/counting/inputs.ts'
import { type Json, listOf, printed, recordOf, textOf } from '../../billing/counting/json.ts'
import type { PromptReader } from '../../billing/counting/prompt.ts'
import { contentPieces, toolPieces } from '../openai-chat/prompt.ts'

const perItem = 3

/** Counts the prompt of a Responses request by the rules of chat completions. */
function* responsesPieces(model: string, body: Json): Pieces {
  yield textOf(body.instructions)
  yield textOf(body.input)
  for (const item of listOf(body.input).map(recordOf)) {
    yield perItem
    yield textOf(item.role)
    yield* contentPieces(model, item.content)
    yield* contentPieces(model, item.summary)
    yield textOf(item.name) + printed(item.arguments)
    yield printed(item.output)
  }
  yield perItem
  yield* toolPieces(listOf(body.tools))
}

export const promptReader: PromptReader = {
  module: import.meta.url,
  read: (model, body) => responsesPieces(model, body),
}
