import { type StatedCost, statedInHead, statedInStatus, statedInUsage } from '../../billing/stated/stated-costs.ts'
import { isObject, parsedJson } from '../../dialects/conversation/json.ts'
import { membersOf } from '../../lib/json/json-edit.ts'
import type { Headers } from '../upstream/upstream.ts'

/** Bytes: a longer answer is not looked through. */
const longest = 1024 * 1024
const openBrace = '{'.charCodeAt(0)

const memberIn = (json: Buffer, name: string): unknown => {
  const member = membersOf(json).findLast((each) => each.name === name)
  return member && parsedJson(json.toString('utf8', member.valueStart, member.valueEnd))
}

/**
 * What the answer to a raw call says that it cost: in the members that providers have for it, or in its head. `bytes` are absent
 * where the answer is no JSON.
 */
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
