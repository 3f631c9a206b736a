import { isObject } from '@tollgate/contract/json'
import { ownMember } from '@tollgate/contract/own-member'
import { z } from 'zod'

/** Somebody whom an identity provider vouches for. */
export const person = z.object({
  /** Never changes hands at this provider; the key of the link. */
  subject: z.string().min(1).max(255),
  /** Displayed name of the account. */
  name: z.string(),
  username: z.string().optional(),
  displayName: z.string(),
  /** In lower case. Only an address that the provider says it has verified, or vouches for by its domains. */
  email: z.string().optional(),
  groups: z.array(z.string()),
  /** The session there, as signing out needs it, see `ProviderSession`. */
  session: z.object({ index: z.string(), ticket: z.string() }),
})
export type Person = z.output<typeof person>

/** Groups of one person that are looked at; directories of large companies have thousands. */
const mostGroups = 2000
const longestGroup = 255

/** The texts of a claim, which may be one text, a list, or a list of objects with a name. */
export const groupsIn = (value: unknown): string[] => {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  return list
    .slice(0, mostGroups)
    .map((entry) => (isObject(entry) ? (entry.name ?? entry.value) : entry))
    .filter((entry): entry is string => typeof entry === 'string' && entry !== '' && entry.length <= longestGroup)
}

/** A claim by its name; where there is none of that name, points in it lead into objects. */
export const claimAt = (claims: unknown, name: string): unknown => {
  if (!isObject(claims) || name === '') return undefined
  const whole = ownMember(claims, name)
  if (whole !== undefined) return whole
  return name
    .split('.')
    .reduce<unknown>((found, part) => (isObject(found) ? ownMember(found, part) : undefined), claims)
}
