/** Values of canonical JSON here: there are no fractions, since programs print some of them differently. */
export type CanonicalValue =
  | string
  | number
  | boolean
  | readonly CanonicalValue[]
  | { readonly [name: string]: CanonicalValue | undefined }

/**
 * Canonical JSON (RFC 8785): members sorted by the UTF-16 units of their names, no spaces. Members that are undefined are left out. Throws
 * RangeError for numbers that are no safe integers.
 */
export const canonicalJson = (value: CanonicalValue): string => {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) throw new RangeError(`not a safe integer: ${value}`)
  if (typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${(value as readonly CanonicalValue[]).map(canonicalJson).join(',')}]`
  const members = Object.entries(value as Readonly<Record<string, CanonicalValue | undefined>>)
    .filter((member): member is [string, CanonicalValue] => member[1] !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`
}
