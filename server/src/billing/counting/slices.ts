/** Characters per slice. Merging a word takes time quadratic in its length. */
const longestSlice = 1024

const isLetter = /\p{L}/u
/** Characters with which both vocabularies start a new word after a letter. */
const startsWord = /[^\p{L}\p{N}\p{M}'\r\n]/u
const isHighSurrogate = /[\uD800-\uDBFF]/

/** Index where a window can be cut without changing the count; its end if there is none. */
const cutOf = (window: string): number => {
  for (let at = window.length - 1; at > longestSlice / 2; at -= 1) {
    if (startsWord.test(window.charAt(at)) && isLetter.test(window.charAt(at - 1))) return at
  }
  return isHighSurrogate.test(window.charAt(window.length - 1)) ? window.length - 1 : window.length
}

/** Splits a text into pieces of bounded length whose token counts add up to the count of the whole. */
export function* slices(text: string): Generator<string> {
  let start = 0
  while (text.length - start > longestSlice) {
    const window = text.slice(start, start + longestSlice)
    const cut = cutOf(window)
    yield window.slice(0, cut)
    start += cut
  }
  yield text.slice(start)
}

/** Length of the pieces that stay as they are whatever is added to the text: all but the last. */
export const settledLength = (text: string): number => {
  let settled = 0
  let last = 0
  for (const piece of slices(text)) {
    settled += last
    last = piece.length
  }
  return settled
}
