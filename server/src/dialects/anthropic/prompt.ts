import { fileTokens, type Pieces } from '../../billing/counting/inputs.ts'
import { type Json, listOf, printed, recordOf, textOf } from '../../billing/counting/json.ts'
import type { PromptReader } from '../../billing/counting/prompt.ts'

const perMessage = 2
const perTool = 3
const image = 1000

function* blockPieces(value: unknown): Pieces {
  const block = recordOf(value)
  switch (block.type) {
    case 'image':
      yield image
      return
    case 'document':
      yield fileTokens
      return
    case 'tool_use':
      yield textOf(block.name)
      yield printed(block.input)
      return
    case 'tool_result':
      yield* contentPieces(block.content)
      return
    default:
      yield textOf(block.text) || textOf(block.thinking)
  }
}

function* contentPieces(content: unknown): Pieces {
  yield textOf(content)
  for (const block of listOf(content)) yield* blockPieces(block)
}

/** An absent system prompt counts 0 tokens. Images inside tool results count as images. */
function* claudePieces(body: Json): Pieces {
  for (const message of listOf(body.messages).map(recordOf)) {
    yield perMessage
    yield textOf(message.role)
    yield* contentPieces(message.content)
  }
  yield* contentPieces(body.system)
  for (const tool of listOf(body.tools).map(recordOf)) {
    yield perTool
    yield textOf(tool.name)
    yield textOf(tool.description)
    yield printed(tool.input_schema)
  }
}

export const promptReader: PromptReader = { module: import.meta.url, read: (_, body) => claudePieces(body) }
