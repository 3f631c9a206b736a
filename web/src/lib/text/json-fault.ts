/** Place in a text, counted from 1. */
export type TextPlace = Readonly<Record<'line' | 'column', number>>

const space = /[ \t\r\n]*/y
const scalar = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/y
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON allows no control characters in texts
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y

/** Reads JSON from its beginning as far as it is valid; `at` is where it no longer is. */
const read = (text: string): { at: number; whole: boolean } => {
  let at = 0
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found) at += found[0].length
    return found !== null
  }
  const takeMark = (mark: string): boolean => {
    take(space)
    if (text[at] !== mark) return false
    at += 1
    return true
  }
  const takeMember = (): boolean => {
    take(space)
    return take(string) && takeMark(':') && takeValue()
  }
  const takeList = (end: string, takeEntry: () => boolean): boolean => {
    at += 1
    if (takeMark(end)) return true
    do {
      if (!takeEntry()) return false
    } while (takeMark(','))
    return takeMark(end)
  }
  const takeValue = (): boolean => {
    take(space)
    if (text[at] === '{') return takeList('}', takeMember)
    if (text[at] === '[') return takeList(']', takeValue)
    return text[at] === '"' ? take(string) : take(scalar)
  }
  const isValue = takeValue()
  take(space)
  return { at, whole: isValue && at === text.length }
}

const placeOf = (text: string, at: number): TextPlace => {
  const lines = text.slice(0, at).split('\n')
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}

/**
 * The place where a text stops being JSON; undefined for JSON and for empty text, because an empty field means "not set". Browsers name it
 * in different words, or not at all.
 */
export const jsonFault = (text: string): TextPlace | undefined => {
  if (text.trim() === '') return undefined
  try {
    JSON.parse(text)
    return undefined
  } catch {
    return placeOf(text, read(text).at)
  }
}
