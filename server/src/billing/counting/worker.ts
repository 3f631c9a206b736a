import { parentPort } from 'node:worker_threads'
import { loadPromptReader, measure } from './prompt.ts'
import type { CountAnswer, Countable, CountRequest } from './token-counter.ts'
import { countTokens } from './tokenizer.ts'

const measured = async (content: Countable): Promise<{ texts: readonly string[]; tokens: number }> => {
  if ('texts' in content) return { texts: content.texts, tokens: 0 }
  // Parsed once before, so it is valid JSON.
  const body = JSON.parse(Buffer.from(content.raw).toString()) as Record<string, unknown>
  return measure(await loadPromptReader(content.reader), content.model, body)
}

const answer = async ({ id, encoding, content }: CountRequest): Promise<CountAnswer> => {
  try {
    const { texts, tokens } = await measured(content)
    return { id, tokens: tokens + (await countTokens(encoding, texts)) }
  } catch {
    return { id, tokens: undefined }
  }
}

parentPort?.on('message', async (request: CountRequest) => parentPort?.postMessage(await answer(request)))
