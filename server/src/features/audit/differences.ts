import { ownMember } from '@tollgate/contract/own-member'

/** Columns of an object before or after a change. */
type Facts = Readonly<Record<string, unknown>>

/** Names of members whose values must not be kept; `key_hint` may. */
const secretNames = /^code$|(key|password|token|_hash)$|secret|cipher|authorization/i
/** Inside a channel's settings the proxy address may carry a password. */
const credentialsInUrl = /\/\/[^/@\s"]+@/g

/**
 * Differences between the two, secrets replaced by `***`: a change of one shows, its value does not. For a created or removed object,
 * empty fields are left out.
 */
export const differences = (before?: Facts, after?: Facts): { before: Facts; after: Facts } => {
  const whole = before === undefined || after === undefined
  const [old = {}, fresh = {}] = [before, after]
  const changed = [...new Set([...Object.keys(old), ...Object.keys(fresh)])].filter((name) => {
    if (whole && isEmpty(ownMember(old, name)) && isEmpty(ownMember(fresh, name))) return false
    return JSON.stringify(ownMember(old, name)) !== JSON.stringify(ownMember(fresh, name))
  })
  return { before: pick(old, changed), after: pick(fresh, changed) }
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === ''

/** `key_cipher` and `key_hash` are two columns of one secret, `key`. */
const fieldName = (column: string): string => column.replace(/_(cipher|hash)$/, '')

const pick = (facts: Facts, names: readonly string[]): Facts =>
  Object.fromEntries(
    names
      .filter((name) => ownMember(facts, name) !== undefined)
      .map((name) => [fieldName(name), masked(name, ownMember(facts, name))] as const),
  )

const masked = (name: string, value: unknown): unknown => {
  if (secretNames.test(name)) return value === '' || value === null ? value : '***'
  return typeof value === 'string' ? maskedText(value) : maskedInside(value)
}

const maskedInside = (value: unknown): unknown => {
  if (typeof value === 'string') return value.replace(credentialsInUrl, '//***@')
  if (Array.isArray(value)) return value.map(maskedInside)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, masked(name, inner)] as const))
}

/** Columns that hold JSON text (a user's settings, a channel's overrides) may hold secrets by name, too. */
const maskedText = (text: string): string => {
  const plain = text.replace(credentialsInUrl, '//***@')
  if (!/^\s*[[{]/.test(plain)) return plain
  try {
    return JSON.stringify(maskedInside(JSON.parse(plain)))
  } catch {
    return plain
  }
}
