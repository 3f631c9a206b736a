const noZero = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '') : text)

/**
 * Whether every database takes `text` as it is: at most `most` UTF-16 units, no zero character (PostgreSQL refuses it), no
 * half of a surrogate pair (each engine replaces it in a way of its own).
 */
export const isStorable = (text: string, most: number): boolean =>
  text.length <= most && text.isWellFormed() && !text.includes('\0')

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff

/** The first `most` UTF-16 units, never half a code point. A copy: a slice would keep the whole text in memory. */
const firstUnits = (text: string, most: number): string => {
  const end = most > 0 && isHighSurrogate(text.charCodeAt(most - 1)) ? most - 1 : most
  return Buffer.from(text.slice(0, end).toWellFormed()).toString()
}

/**
 * `text` as every database takes it: what is longer than `most` UTF-16 units is cut between two code points and says so at its
 * end, zero characters are left out, halves of surrogate pairs become U+FFFD. `most` must leave room for the mark (40 units).
 */
export const boundedText = (text: string, most: number): string => {
  if (isStorable(text, most)) return text
  if (text.length <= most) return noZero(text.toWellFormed())
  const mark = `… [cut, ${text.length} characters]`
  return `${noZero(firstUnits(text, most - mark.length))}${mark}`
}

/** The beginning of a text from outside, for messages that name it: at most `most` UTF-16 units and an ellipsis. */
export const shortText = (text: string, most = 80): string => {
  if (text.length <= most) return text
  return `${firstUnits(text, most)}…`
}
