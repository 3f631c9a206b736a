import { chatPieces } from './chat.ts'
import { claudePieces } from './claude.ts'
import { geminiPieces } from './gemini.ts'
import { plainPieces } from './inputs.ts'
import type { Json } from './json.ts'
import type { Pieces } from './pieces.ts'
import { responsesPieces } from './responses.ts'

const piecesOf = (model: string, path: string, body: Json): Pieces => {
  if (/\/messages(\/|$)/.test(path)) return claudePieces(body)
  if (/\/responses(\/|$)/.test(path)) return responsesPieces(model, body)
  if (/:(\w+Content|countTokens)/i.test(path)) return geminiPieces(model, body)
  return Array.isArray(body.messages) ? chatPieces(model, body) : plainPieces(model, body)
}

/** The parts of a request that cost tokens: texts to be tokenized, and tokens known without a tokenizer. */
export const measure = (model: string, path: string, body: Json): { texts: string[]; tokens: number } => {
  const texts: string[] = []
  let tokens = 0
  for (const piece of piecesOf(model, path, body)) {
    if (typeof piece === 'number') tokens += piece
    else if (piece !== '') texts.push(piece)
  }
  return { texts, tokens }
}

/** Prompt tokens expected of a request body, from its size alone; for reservations, which must not wait. */
export const estimatePrompt = (byteLength: number): number => Math.ceil(byteLength / 4)
