/** Merging a word costs the square of its length, so no more than this goes to the tokenizer at once. */
const longest = 1024

const isLetter = /\p{L}/u
/** After a letter, both vocabularies start a new word with any of these. */
const startsWord = /[^\p{L}\p{N}\p{M}'\r\n]/u
const isHighSurrogate = /[\uD800-\uDBFF]/

/** Where a window may end without changing the count; a long run without such a place is cut anyway. */
const cutOf = (window: string): number => {
  for (let at = window.length - 1; at > longest / 2; at -= 1) {
    if (startsWord.test(window.charAt(at)) && isLetter.test(window.charAt(at - 1))) return at
  }
  return isHighSurrogate.test(window.charAt(window.length - 1)) ? window.length - 1 : window.length
}

/** Splits a text into pieces of bounded length whose token counts add up to the count of the whole. */
export function* slices(text: string): Generator<string> {
  let start = 0
  while (text.length - start > longest) {
    const window = text.slice(start, start + longest)
    const cut = cutOf(window)
    yield window.slice(0, cut)
    start += cut
  }
  yield text.slice(start)
}
