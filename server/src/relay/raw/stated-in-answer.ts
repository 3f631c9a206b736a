import { type StatedCost, statedInHead, statedInStatus, statedInUsage } from '../../billing/stated/stated-costs.ts'
import { isObject, parsedJson } from '../../dialects/conversation/json.ts'
import { membersOf } from '../../lib/json/json-edit.ts'
import type { Headers } from '../upstream/upstream.ts'

/** Bytes. Longer answers are not searched. */
const longest = 1024 * 1024
const openBrace = '{'.charCodeAt(0)

const memberIn = (json: Buffer, name: string): unknown => {
  const member = membersOf(json).findLast((each) => each.name === name)
  return member && parsedJson(json.toString('utf8', member.valueStart, member.valueEnd))
}

/** Cost that the answer to a raw call states, in its members or its headers. `bytes` are absent where the answer is no JSON. */
export const statedInAnswer = (headers: Headers, bytes: Buffer | undefined): StatedCost | undefined => {
  const isRead = bytes !== undefined && bytes.length <= longest && bytes[0] === openBrace
  if (!isRead) return statedInHead(headers)
  const usage = bytes.includes('"usage"') ? memberIn(bytes, 'usage') : undefined
  return (
    (isObject(usage) ? statedInUsage(usage) : undefined) ??
    (bytes.includes('"inference_status"') ? statedInStatus(memberIn(bytes, 'inference_status')) : undefined) ??
    statedInHead(headers)
  )
}
