import { ownMember } from '@tollgate/contract/own-member'
import { type Members, membersOf } from '../conversation/json.ts'

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Google's APIs take their names in both spellings. */
export const field = (its: Members, name: string): unknown => ownMember(its, name) ?? ownMember(its, snake(name))

export const objectField = (its: Members, name: string): Members => membersOf(field(its, name))

/** Both spellings of names, for what is left over. */
export const spellings = (names: readonly string[]): ReadonlySet<string> => new Set([...names, ...names.map(snake)])
