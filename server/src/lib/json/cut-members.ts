/** Names of members from the outermost in; `*` stands for the elements of an array. */
export type MemberPath = readonly string[]

interface Open {
  readonly isObject: boolean
  /** Name of the member whose value is being read. */
  name: string
  /** True where the next string is a name. */
  wantsName: boolean
}

const string = /"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|\\?$)/y
const scalar = /[^\s,:\]}"[{]+/y

const endOf = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at + 1
}

/** End of the value that begins at `at`; the end of the text if the value is cut off. */
const endOfValue = (text: string, at: number): number => {
  let depth = 0
  let place = at
  do {
    const sign = text[place]
    if (sign === '"') place = endOf(string, text, place)
    else if (sign === '{' || sign === '[') {
      depth += 1
      place += 1
    } else if (sign === '}' || sign === ']') {
      depth -= 1
      place += 1
    } else if (sign === ',' || sign === ':' || /\s/.test(sign ?? '')) place += 1
    else place = endOf(scalar, text, place)
  } while (depth > 0 && place < text.length)
  return place
}

const nameIn = (printed: string): string => {
  try {
    return String(JSON.parse(printed))
  } catch {
    return printed
  }
}

/**
 * Puts `"[cut]"` in the place of members of a JSON text, also where only the beginning of the text is there. Everything else stays as it
 * was, so a text that is no JSON may come out as it came.
 */
export const cutMembers = (text: string, isCut: (path: MemberPath) => boolean): string => {
  const open: Open[] = []
  let cut = ''
  let kept = 0
  let at = 0
  const path = (): string[] => open.map(({ isObject, name }) => (isObject ? name : '*'))
  while (at < text.length) {
    const sign = text[at]
    const inner = open.at(-1)
    if (sign === ',' || sign === ':' || sign === ' ' || sign === '\n' || sign === '\r' || sign === '\t') {
      if (sign === ',' && inner?.isObject) inner.wantsName = true
      at += 1
    } else if (sign === '}' || sign === ']') {
      open.pop()
      at += 1
    } else if (inner?.wantsName && sign === '"') {
      const end = endOf(string, text, at)
      inner.name = nameIn(text.slice(at, end))
      inner.wantsName = false
      at = end
    } else if (inner !== undefined && isCut(path())) {
      cut += `${text.slice(kept, at)}"[cut]"`
      at = endOfValue(text, at)
      kept = at
    } else if (sign === '{' || sign === '[') {
      open.push({ isObject: sign === '{', name: '', wantsName: sign === '{' })
      at += 1
    } else at = endOf(sign === '"' ? string : scalar, text, at)
  }
  return cut + text.slice(kept)
}
