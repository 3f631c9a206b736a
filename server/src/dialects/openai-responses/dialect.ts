import { sealReader, sealWriter } from '../conversation/seal.ts'
import type { ClientDialect, UpstreamDialect } from '../dialect.ts'
import { freeTextWriter, withFreeText } from '../tools/custom-tools.ts'
import { readAnswer, writeAnswer } from './answer.ts'
import { readRequest } from './read-request.ts'
import { openReader } from './read-stream.ts'
import { writeRequest } from './write-request.ts'
import { openWriter } from './write-stream.ts'

export const openaiResponsesClient: ClientDialect = {
  name: 'openai-responses',
  readRequest,
  writeAnswer: (answer, conversation) => writeAnswer(withFreeText(answer, conversation)),
  openStream: (conversation) => sealWriter(freeTextWriter(openWriter(conversation), conversation)),
}

export const openaiResponses: UpstreamDialect = {
  name: 'openai-responses',
  writeRequest,
  readAnswer,
  openStream: () => sealReader(openReader()),
}
