import { isObject, parseJson } from '@tollgate/contract/json'
import { membersOf } from '#server/lib/json/json-edit.ts'

export interface ReadMembers {
  readonly members: Readonly<Record<string, unknown>>
  /** The bytes of a member as they were written, so that numbers keep their digits. */
  bytesOf(name: string): Buffer
}

/** The members of a line of JSON; undefined where it is no object. */
export const lineMembers = (text: string): ReadMembers | undefined => {
  const members = parseJson(text)
  if (!isObject(members)) return undefined
  return {
    members,
    bytesOf(name) {
      const json = Buffer.from(text)
      // Of members with one name the last counts, as in parsed JSON.
      const member = membersOf(json).findLast((one) => one.name === name)
      return member === undefined ? Buffer.alloc(0) : json.subarray(member.valueStart, member.valueEnd)
    },
  }
}

/** JSON without line feeds; they stand between values alone. Undefined for text that is no JSON. */
export const onOneLine = (text: string): string | undefined =>
  parseJson(text) === undefined ? undefined : text.replace(/[\r\n]+/g, ' ').trim()
