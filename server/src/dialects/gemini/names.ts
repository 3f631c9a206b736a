import { ownMember } from '@tollgate/contract/own-member'
import { type JsonObject, membersOf } from '../conversation/json.ts'

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Reads a field by its camelCase or snake_case name: Google's APIs accept both. */
export const field = (object: JsonObject, name: string): unknown =>
  ownMember(object, name) ?? ownMember(object, snake(name))

export const objectField = (object: JsonObject, name: string): JsonObject => membersOf(field(object, name))

/** The names in camelCase and in snake_case. */
export const spellings = (names: readonly string[]): ReadonlySet<string> => new Set([...names, ...names.map(snake)])
