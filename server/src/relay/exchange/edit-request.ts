import type { JsonObject } from '../../dialects/conversation/json.ts'
import { editMembers, elements, membersOf, type Splice, splice } from '../../lib/json/json-edit.ts'
import type { Adjustment } from '../../providers/provider.ts'

/** New values of top-level members; undefined removes one. All other bytes stay. */
export const withMembers = (json: Buffer, members: JsonObject): Buffer =>
  editMembers(json, Object.fromEntries(Object.entries(members).map(([name, value]) => [name, JSON.stringify(value)])))

const roleChanges = (json: Buffer, message: number, role: string, from?: string): Splice[] =>
  membersOf(json, message)
    .filter(({ name }) => name === 'role')
    .filter(({ valueStart, valueEnd }) => from === undefined || json.toString('utf8', valueStart, valueEnd) === from)
    .map(({ valueStart, valueEnd }) => ({ start: valueStart, end: valueEnd, text: JSON.stringify(role) }))

/** Roles of messages, and a message before all others; everything else keeps its bytes. */
export const withMessages = (json: Buffer, { firstRole, developerRole, leadingSystem }: Adjustment): Buffer => {
  if (firstRole === undefined && developerRole === undefined && leadingSystem === undefined) return json
  const messages = membersOf(json).find(({ name }) => name === 'messages')
  const [first, ...rest] = messages === undefined ? [] : elements(json, messages.valueStart)
  if (first === undefined) return json
  const splices: Splice[] = firstRole === undefined ? [] : roleChanges(json, first, firstRole)
  if (developerRole !== undefined)
    for (const message of [first, ...rest]) splices.push(...roleChanges(json, message, developerRole, '"developer"'))
  if (leadingSystem !== undefined) {
    const text = `${JSON.stringify({ role: 'system', content: leadingSystem })},`
    splices.push({ start: first, end: first, text })
  }
  return splice(json, splices)
}
