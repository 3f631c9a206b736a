import { imageTokens } from './image-tokens.ts'
import { type Json, listOf, printed, recordOf, textOf } from './json.ts'

/** The parts of a prompt for counting: a text to tokenize, or a number of tokens. */
export type Pieces = Iterable<string | number>

export const audioTokens = 100
export const fileTokens = 5000

const isTokens = (list: readonly unknown[]): boolean => list.every((item) => typeof item === 'number')

function* itemPieces(model: string, value: unknown): Pieces {
  const item = recordOf(value)
  if (typeof value === 'string') yield value
  else if (Array.isArray(value)) yield* inputPieces(model, value)
  else if (item.image_url !== undefined) {
    yield imageTokens(model, { url: textOf(recordOf(item.image_url).url), detail: '' })
  } else yield textOf(item.text) || printed(value)
}

/** Text, a list of texts, a list of ready tokens, or a list of such lists. */
function* inputPieces(model: string, input: unknown): Pieces {
  const list = listOf(input)
  if (!Array.isArray(input)) yield* itemPieces(model, input)
  else if (isTokens(list)) yield list.length
  else for (const item of list) yield* itemPieces(model, item)
}

const codePoints = (text: string): number => {
  const pairs = text.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)
  return text.length - (pairs?.length ?? 0)
}

/** Countable pieces of requests for completions, embeddings, moderations, rerank, images and speech. */
export function* plainPieces(model: string, body: Json): Pieces {
  if (model.startsWith('tts') && typeof body.input === 'string') {
    yield codePoints(body.input)
    return
  }
  for (const input of [body.prompt, body.input, body.query]) yield* inputPieces(model, input)
  for (const document of listOf(body.documents)) yield* itemPieces(model, document)
}
