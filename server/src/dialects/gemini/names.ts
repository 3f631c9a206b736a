import { ownMember } from '@tollgate/contract/own-member'
import { type JsonObject, membersOf } from '../conversation/json.ts'

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Google's APIs take their names in both spellings. */
export const field = (object: JsonObject, name: string): unknown =>
  ownMember(object, name) ?? ownMember(object, snake(name))

export const objectField = (object: JsonObject, name: string): JsonObject => membersOf(field(object, name))

/** Both spellings of names, for what is left over. */
export const spellings = (names: readonly string[]): ReadonlySet<string> => new Set([...names, ...names.map(snake)])
