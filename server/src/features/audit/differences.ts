/** Columns of an object before or after a change. */
export type Facts = Readonly<Record<string, unknown>>

/** Names of members whose values must not be kept; `key_hint` may. */
const secretNames = /^code$|(key|password|token|_hash)$|secret|cipher/i
/** Inside a channel's settings the proxy address may carry a password. */
const credentialsInUrl = /\/\/[^/@\s"]+@/g

/** What differs between the two, secrets replaced by `***`: a change of one shows, its value does not. */
export const differences = (before: Facts = {}, after: Facts = {}): { before: Facts; after: Facts } => {
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  return { before: pick(before, changed), after: pick(after, changed) }
}

const pick = (facts: Facts, names: readonly string[]): Facts =>
  Object.fromEntries(
    names.filter((name) => facts[name] !== undefined).map((name) => [name, masked(name, facts[name])] as const),
  )

const masked = (name: string, value: unknown): unknown => {
  if (secretNames.test(name)) return '***'
  return typeof value === 'string' ? value.replace(credentialsInUrl, '//***@') : value
}
