const quote = 34
const backslash = 92
const colon = 58

/** Index after the text that begins at `from`. */
const textEnd = (json: Buffer, from: number): number => {
  let at = from
  for (;;) {
    at = json.indexOf(quote, at + 1)
    if (at < 0) return json.length
    let backslashes = 0
    while (json[at - 1 - backslashes] === backslash) backslashes += 1
    if (backslashes % 2 === 0) return at + 1
  }
}

/** Members as they are written: each has a colon outside of texts. */
const writtenMembers = (json: Buffer): number => {
  let count = 0
  for (let at = 0; at < json.length; ) {
    if (json[at] === quote) {
      at = textEnd(json, at)
      continue
    }
    if (json[at] === colon) count += 1
    at += 1
  }
  return count
}

/** Members of all objects in a value. */
const parsedMembers = (value: unknown): number => {
  let count = 0
  const open: unknown[] = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next !== 'object' || next === null) continue
    const inner: readonly unknown[] = Object.values(next)
    if (!Array.isArray(next)) count += inner.length
    for (const one of inner) if (typeof one === 'object') open.push(one)
  }
  return count
}

/**
 * Whether an object names a member twice. Parsers disagree which of the two counts, so nobody knows what its provider reads. `value` is what
 * the JSON was parsed to.
 */
export const hasTwins = (json: Buffer, value: unknown): boolean => writtenMembers(json) > parsedMembers(value)
