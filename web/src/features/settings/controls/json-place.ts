/** Lines count from 1. */
const lineAt = (text: string, position: number): number => text.slice(0, position).split('\n').length

const space = /[ \t\r\n]*/y
const token =
  /("(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)|[{}[\],:]/uy

const matchAt = (pattern: RegExp, text: string, position: number): RegExpExecArray | null => {
  pattern.lastIndex = position
  return pattern.exec(text)
}

type Awaited = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | 'more'

/** The tokens that may follow a token; undefined if the token is not allowed there. `open` lists the open brackets. */
const step = (awaited: Awaited, found: RegExpExecArray, open: string[]): Awaited | undefined => {
  const [word, text, plain] = found
  const last = open.at(-1)
  const closes = (word === '}' && last === '{') || (word === ']' && last === '[')
  if (closes && (awaited === 'more' || awaited === `name or ${word}` || awaited === `value or ${word}`)) {
    open.pop()
    return 'more'
  }
  if (awaited === 'more') {
    if (word !== ',' || last === undefined) return undefined
    return last === '{' ? 'name' : 'value'
  }
  if (awaited === ':') return word === ':' ? 'value' : undefined
  if (awaited === 'name' || awaited === 'name or }') return text === undefined ? undefined : ':'
  if (text !== undefined || plain !== undefined) return 'more'
  if (word !== '{' && word !== '[') return undefined
  open.push(word)
  return word === '{' ? 'name or }' : 'value or ]'
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/**
 * The line of the first JSON syntax error; null for valid JSON. Every browser describes the error, but not all name the
 * place.
 */
export const faultLine = (text: string): number | null => {
  if (isJson(text)) return null
  const open: string[] = []
  let awaited: Awaited = 'value'
  let position = 0
  for (;;) {
    position += matchAt(space, text, position)?.[0].length ?? 0
    if (position === text.length) return lineAt(text, position)
    const found = matchAt(token, text, position)
    const next: Awaited | undefined = found ? step(awaited, found, open) : undefined
    if (!found || next === undefined) return lineAt(text, position)
    awaited = next
    position += found[0].length
  }
}

const names = /"(?:[^"\\]|\\.)*"|[{}[\]:]|\n/g

/** The names of the outermost object of JSON text, with their lines; duplicates are included. */
export const outerNames = (text: string): readonly { readonly name: string; readonly line: number }[] => {
  const outer: { name: string; line: number }[] = []
  let depth = 0
  let line = 1
  let last: { text: string; line: number } | undefined
  for (const [found] of text.matchAll(names)) {
    if (found === '\n') line += 1
    else if (found === '{' || found === '[') depth += 1
    else if (found === '}' || found === ']') depth -= 1
    else if (found !== ':') last = { text: found, line }
    else if (depth === 1 && last) outer.push({ name: String(JSON.parse(last.text)), line: last.line })
  }
  return outer
}

/** The first duplicate name of the outermost object: JSON.parse would silently keep the last one. */
export const doubledName = (text: string): { name: string; line: number } | undefined => {
  const seen = new Set<string>()
  return outerNames(text).find(({ name }) => {
    if (seen.has(name)) return true
    seen.add(name)
    return false
  })
}
