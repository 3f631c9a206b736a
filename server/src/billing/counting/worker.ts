import { parentPort } from 'node:worker_threads'
import type { CountAnswer, CountRequest } from './token-counter.ts'
import { countTokens } from './tokenizer.ts'

const answer = async ({ id, encoding, texts }: CountRequest): Promise<CountAnswer> => {
  try {
    return { id, tokens: await countTokens(encoding, texts) }
  } catch {
    return { id, tokens: undefined }
  }
}

parentPort?.on('message', async (request: CountRequest) => parentPort?.postMessage(await answer(request)))
