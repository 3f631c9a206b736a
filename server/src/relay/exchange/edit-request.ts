import type { JsonObject } from '../../dialects/conversation/json.ts'
import { editMembers, elements, membersOf, type Splice, splice, valueEnd } from '../../lib/json/json-edit.ts'
import type { Adjustment } from '../../providers/provider.ts'

/** New values of top-level members; undefined removes one. All other bytes stay. */
export const withMembers = (json: Buffer, members: JsonObject): Buffer =>
  editMembers(json, Object.fromEntries(Object.entries(members).map(([name, value]) => [name, JSON.stringify(value)])))

const roleChanges = (json: Buffer, message: number, role: string, from?: string): Splice[] =>
  membersOf(json, message)
    .filter(({ name }) => name === 'role')
    .filter(({ valueStart, valueEnd }) => from === undefined || json.toString('utf8', valueStart, valueEnd) === from)
    .map(({ valueStart, valueEnd }) => ({ start: valueStart, end: valueEnd, text: JSON.stringify(role) }))

/** New values of members of the message at `start`. */
const memberChanges = (json: Buffer, start: number, end: number, members: JsonObject): Splice[] => [
  { start, end, text: withMembers(json.subarray(start, end), members).toString() },
]

/** Roles and members of messages, and a message before all others; everything else keeps its bytes. */
export const withMessages = (json: Buffer, adjustment: Adjustment): Buffer => {
  const { firstRole, developerRole, leadingSystem, messageMembers } = adjustment
  const changed = messageMembers === undefined ? json : withMessageMembers(json, messageMembers)
  if (firstRole === undefined && developerRole === undefined && leadingSystem === undefined) return changed
  const [first, ...rest] = messagesIn(changed)
  if (first === undefined) return changed
  const splices: Splice[] = firstRole === undefined ? [] : roleChanges(changed, first, firstRole)
  if (developerRole !== undefined)
    for (const message of [first, ...rest]) splices.push(...roleChanges(changed, message, developerRole, '"developer"'))
  if (leadingSystem !== undefined) {
    const text = `${JSON.stringify({ role: 'system', content: leadingSystem })},`
    splices.push({ start: first, end: first, text })
  }
  return splice(changed, splices)
}

/** Offsets in bytes at which the messages begin. */
const messagesIn = (json: Buffer): number[] => {
  const messages = membersOf(json).find(({ name }) => name === 'messages')
  return messages === undefined ? [] : elements(json, messages.valueStart)
}

const withMessageMembers = (json: Buffer, changes: ReadonlyMap<number, JsonObject>): Buffer =>
  splice(
    json,
    messagesIn(json).flatMap((start, place) => {
      const members = changes.get(place)
      return members === undefined ? [] : memberChanges(json, start, valueEnd(json, start), members)
    }),
  )
