import { textOf } from '../conversation/json.ts'
import type { UpstreamDialect } from '../dialect.ts'
import { pictureTypes } from '../facts/media-types.ts'
import { readAnswer } from './answer.ts'
import { openReader } from './read-stream.ts'
import { writeRequest } from './write-request.ts'

/** Converse of Amazon Bedrock, which serves the models of all vendors in one dialect. */
export const bedrockConverse: UpstreamDialect = {
  name: 'bedrock-converse',
  pictures: pictureTypes.converse,
  // Application profiles do not show their model, which may be Claude or Nova.
  plainRoots: true,
  writeRequest,
  readAnswer,
  openStream: openReader,
  errorOf(json) {
    const message = textOf(json.message) || textOf(json.Message)
    return message === '' ? undefined : { message }
  },
}
