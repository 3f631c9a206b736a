import { sealReader, sealWriter } from '../conversation/seal.ts'
import type { ClientDialect, UpstreamDialect } from '../dialect.ts'
import { readAnswer, writeAnswer } from './answer.ts'
import type { AnthropicHabits } from './capabilities.ts'
import { readRequest } from './read-request.ts'
import { openReader } from './read-stream.ts'
import { anthropicHabits, writeRequest } from './write-request.ts'
import { openWriter } from './write-stream.ts'

export const anthropicClient: ClientDialect = {
  name: 'anthropic',
  readRequest,
  writeAnswer,
  openStream: (conversation) => sealWriter(openWriter(conversation)),
}

/** Messages of Anthropic, and of Bedrock and Vertex where Claude is concerned. */
export const anthropicMessages = (habits: Partial<AnthropicHabits> = {}): UpstreamDialect => {
  const all = { ...anthropicHabits, ...habits }
  return {
    name: 'anthropic',
    writeRequest: (conversation, losses) => writeRequest(conversation, losses, all),
    readAnswer,
    openStream: () => sealReader(openReader()),
  }
}
