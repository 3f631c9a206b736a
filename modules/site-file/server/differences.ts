import { isDeepStrictEqual } from 'node:util'
import { isObject } from '@tollgate/contract/json'
import { ownMember } from '@tollgate/contract/own-member'

/** One value that is another in the file than on the site. */
export interface Difference {
  readonly field: string
  /** undefined: there is none. */
  readonly before: unknown
  readonly after: unknown
}

/** Differences between two values; maps are compared member by member, so that the change of one price is one line. */
export const differences = (field: string, before: unknown, after: unknown): Difference[] => {
  // The order of members means nothing.
  if (isDeepStrictEqual(before, after)) return []
  if (!isObject(before) || !isObject(after)) return [{ field, before, after }]
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names.flatMap((name) => differences(`${field}.${name}`, ownMember(before, name), ownMember(after, name)))
}
