/** Lines count from 1. */
const lineAt = (text: string, position: number): number => text.slice(0, position).split('\n').length

/** What makes text no JSON: the line where reading stopped, undefined when the browser does not say; null for JSON. */
export const syntaxFault = (text: string): { line: number | undefined } | null => {
  try {
    JSON.parse(text)
    return null
  } catch (error) {
    const said = error instanceof Error ? error.message : ''
    const line = /line (\d+)/.exec(said)?.[1]
    const position = /position (\d+)/.exec(said)?.[1]
    if (line !== undefined) return { line: Number(line) }
    if (position !== undefined) return { line: lineAt(text, Number(position)) }
    return { line: /end of/i.test(said) ? lineAt(text, text.length) : undefined }
  }
}

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\]:]|\n/g

/** The names of the outermost object of JSON text, with their lines; names that stand twice come twice. */
export const outerNames = (text: string): readonly { readonly name: string; readonly line: number }[] => {
  const names: { name: string; line: number }[] = []
  let depth = 0
  let line = 1
  let last: { text: string; line: number } | undefined
  for (const [token] of text.matchAll(tokens)) {
    if (token === '\n') line += 1
    else if (token === '{' || token === '[') depth += 1
    else if (token === '}' || token === ']') depth -= 1
    else if (token === ':') {
      if (depth === 1 && last) names.push({ name: String(JSON.parse(last.text)), line: last.line })
    } else last = { text: token, line }
  }
  return names
}

/** The first name that stands twice in the outermost object: JSON would keep the last one in silence. */
export const doubledName = (text: string): { name: string; line: number } | undefined => {
  const seen = new Set<string>()
  return outerNames(text).find(({ name }) => {
    if (seen.has(name)) return true
    seen.add(name)
    return false
  })
}
