import type { UpstreamDialect } from '../dialect.ts'
import { errorOf, readAnswer } from './answer.ts'
import { openReader } from './read-stream.ts'
import { writeRequest } from './write-request.ts'

/** Ollama's chat API (`/api/chat`). */
export const ollamaChat: UpstreamDialect = {
  name: 'ollama',
  toolNames: /^/,
  anySchema: true,
  writeRequest,
  readAnswer,
  openStream: openReader,
  errorOf,
}
