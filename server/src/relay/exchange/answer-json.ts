import { isObject, type Members } from '../../dialects/conversation/json.ts'
import { lastMembers } from './last-members.ts'
import type { AttemptParts } from './outcome.ts'
import { passthroughOf } from './passthrough.ts'

const muchBulk = 32 * 1024

type Asked = Pick<AttemptParts, 'call' | 'prepared'>

/** Transcripts may be asked for as subtitles or as nothing but their text; some providers send pictures bare. */
const bareText = (bytes: Buffer, type: string, { call, prepared }: Asked): Members | undefined => {
  if (prepared.retelling !== undefined) return prepared.retelling.bare?.(bytes, type)
  const isText = call.endpoint === 'transcripts' && !type.includes('json')
  return isText ? { text: bytes.toString() } : undefined
}

/** Of vectors and pictures that go through as they came nobody reads more than what they cost. undefined where all has to be read. */
const endOfBulk = (bytes: Buffer, { call, prepared }: Asked): Members | undefined => {
  const isBulk = call.endpoint === 'embeddings' || call.endpoint === 'images'
  if (!isBulk || bytes.length < muchBulk) return undefined
  if ((prepared.conversion ?? prepared.retelling ?? prepared.errorOf) !== undefined) return undefined
  // An error, or the tier that was granted, may stand anywhere.
  if (bytes.includes('"error"') || bytes.includes('"service_tier"')) return undefined
  const members = lastMembers(bytes, 'usage')
  return members === undefined || passthroughOf(call).usage(members) === undefined ? undefined : members
}

/** As much of a whole answer as somebody has to read. Throws when it is no JSON object. */
export const answerJson = (bytes: Buffer, contentType: string, asked: Asked): Members => {
  const json: unknown = bareText(bytes, contentType, asked) ?? endOfBulk(bytes, asked) ?? JSON.parse(bytes.toString())
  if (!isObject(json)) throw new Error('no JSON object')
  return json
}
