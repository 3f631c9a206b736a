const withoutZeros = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '') : text)

/**
 * True if every database stores `text` unchanged: at most `most` UTF-16 units, no zero character (PostgreSQL refuses it), no half of a
 * surrogate pair (engines replace it differently).
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
 * Makes `text` storable in every database: cuts it to `most` UTF-16 units between two code points and appends a note, removes zero
 * characters, and replaces halves of surrogate pairs by U+FFFD. `most` must leave room for the note (40 units).
 */
export const boundedText = (text: string, most: number): string => {
  if (isStorable(text, most)) return text
  if (text.length <= most) return withoutZeros(text.toWellFormed())
  const mark = `… [cut, ${text.length} characters]`
  return `${withoutZeros(firstUnits(text, most - mark.length))}${mark}`
}

/** The beginning of a text from outside, for messages that name it: at most `most` UTF-16 units and an ellipsis. */
export const shortText = (text: string, most = 80): string => {
  if (text.length <= most) return text
  return `${firstUnits(text, most)}…`
}
