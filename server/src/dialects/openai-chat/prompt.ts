import { imageTokens } from '../../billing/counting/image-tokens.ts'
import { audioTokens, fileTokens, type Pieces } from '../../billing/counting/inputs.ts'
import { type Json, listOf, printed, recordOf, textOf } from '../../billing/counting/json.ts'
import type { PromptReader } from '../../billing/counting/prompt.ts'

const perMessage = 3
const answerPrimer = 3
const toolsPreamble = 8

function* part(model: string, value: unknown): Pieces {
  const block = recordOf(value)
  switch (block.type) {
    case 'image_url':
    case 'input_image': {
      const image = recordOf(block.image_url)
      yield imageTokens(model, {
        url: textOf(block.image_url) || textOf(image.url),
        detail: textOf(image.detail) || textOf(block.detail),
      })
      return
    }
    case 'input_audio':
      yield audioTokens
      return
    case 'file':
    case 'input_file':
      yield fileTokens
      return
    default:
      yield textOf(value) || textOf(block.text) || textOf(block.refusal)
  }
}

/** Counts the content of a message in the chat or responses dialect: text, or a list of parts. */
export function* contentPieces(model: string, content: unknown): Pieces {
  yield textOf(content)
  for (const value of listOf(content)) yield* part(model, value)
}

/** Counts the tools of the chat or responses dialect. */
export function* toolPieces(tools: readonly unknown[]): Pieces {
  if (tools.length === 0) return
  yield toolsPreamble
  for (const value of tools) {
    const tool = recordOf(value)
    const described = tool.function === undefined ? tool : recordOf(tool.function)
    yield textOf(described.name) + textOf(described.description) + printed(described.parameters)
  }
}

function* callPieces(message: Json): Pieces {
  const calls = [...listOf(message.tool_calls).map((call) => recordOf(call).function), message.function_call]
  for (const call of calls.map(recordOf)) yield textOf(call.name) + printed(call.arguments)
}

/** Counts a request as OpenAI documents it, including all tools and the arguments of tool calls. */
function* chatPieces(model: string, body: Json): Pieces {
  const [forMessage, forName] = model === 'gpt-3.5-turbo-0301' ? [perMessage + 1, -1] : [perMessage, 1]
  for (const message of listOf(body.messages).map(recordOf)) {
    yield forMessage
    yield textOf(message.role)
    if (textOf(message.name) !== '') {
      yield forName
      yield textOf(message.name)
    }
    yield* contentPieces(model, message.content)
    yield* callPieces(message)
  }
  yield answerPrimer
  yield* toolPieces([...listOf(body.tools), ...listOf(body.functions)])
}

export const promptReader: PromptReader = { module: import.meta.url, read: (model, body) => chatPieces(model, body) }
