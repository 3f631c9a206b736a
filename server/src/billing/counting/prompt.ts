import type { Pieces } from './inputs.ts'
import type { Json } from './json.ts'

/** Finds the parts of a request body that cost tokens, for one dialect. */
export interface PromptReader {
  /** URL of the module that exports the reader as `promptReader`. Threads import it, because functions cannot be sent to them. */
  readonly module: string
  read(model: string, body: Json): Pieces
}

/** The reader that a module exports. */
export const loadPromptReader = async (module: string): Promise<PromptReader> =>
  ((await import(module)) as { promptReader: PromptReader }).promptReader

/** The parts of a request that cost tokens: texts to tokenize, and the sum of the known numbers. */
export const measure = (reader: PromptReader, model: string, body: Json): { texts: string[]; tokens: number } => {
  const texts: string[] = []
  let tokens = 0
  for (const piece of reader.read(model, body)) {
    if (typeof piece === 'number') tokens += piece
    else if (piece !== '') texts.push(piece)
  }
  return { texts, tokens }
}

/** Estimates prompt tokens from a body's size in bytes. */
export const estimatePrompt = (byteLength: number): number => Math.ceil(byteLength / 4)
