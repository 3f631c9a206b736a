import type { Json } from './json.ts'
import type { Pieces } from './pieces.ts'

/** Reads what of a request body costs tokens, in one dialect. */
export interface PromptReader {
  /** URL of a module that exports the reader as `promptReader`: a thread imports it, since a function cannot be sent to one. */
  readonly module: string
  read(model: string, body: Json): Pieces
}

/** The reader that a module exports. */
export const loadPromptReader = async (module: string): Promise<PromptReader> =>
  ((await import(module)) as { promptReader: PromptReader }).promptReader

/** The parts of a request that cost tokens: texts to be tokenized, and tokens known without a tokenizer. */
export const measure = (reader: PromptReader, model: string, body: Json): { texts: string[]; tokens: number } => {
  const texts: string[] = []
  let tokens = 0
  for (const piece of reader.read(model, body)) {
    if (typeof piece === 'number') tokens += piece
    else if (piece !== '') texts.push(piece)
  }
  return { texts, tokens }
}

/** Prompt tokens expected of a request body, from its size alone; for reservations, which must not wait. */
export const estimatePrompt = (byteLength: number): number => Math.ceil(byteLength / 4)
