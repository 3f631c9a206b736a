import type { ClientDialect, UpstreamDialect } from '../dialect.ts'
import { readAnswer, writeAnswer } from './answer.ts'
import { readRequest } from './read-request.ts'
import { openReader, openWriter } from './stream.ts'
import { type GeminiHabits, geminiHabits, writeRequest } from './write-request.ts'

export const geminiClient: ClientDialect = {
  name: 'gemini',
  readRequest,
  writeAnswer,
  openStream: openWriter,
}

/** generateContent of Google's AI Studio and of Vertex. */
export const geminiContent = (habits: Partial<GeminiHabits> = {}): UpstreamDialect => {
  const all = { ...geminiHabits, ...habits }
  return {
    name: 'gemini',
    writeRequest: (conversation, losses) => writeRequest(conversation, losses, all),
    readAnswer,
    openStream: openReader,
  }
}
