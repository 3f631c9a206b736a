export type Inline =
  | { kind: 'text' | 'code'; text: string }
  | { kind: 'strong' | 'emphasis' | 'struck'; children: Inline[] }
  | { kind: 'link'; address: string; children: Inline[] }
  | { kind: 'image'; address: string; text: string }
  | { kind: 'break' }

type Align = 'left' | 'center' | 'right' | undefined

export type Block =
  | { kind: 'heading'; level: number; children: Inline[] }
  | { kind: 'paragraph'; children: Inline[] }
  | { kind: 'code'; language: string; text: string }
  | { kind: 'quote'; blocks: Block[] }
  | { kind: 'list'; ordered: boolean; start: number; items: Block[][] }
  | { kind: 'table'; head: Inline[][]; align: Align[]; rows: Inline[][][] }
  | { kind: 'rule' }

const webAddress = /^(https?:\/\/|mailto:)/i
const imageAddress = /^(https?:\/\/|data:image\/(png|jpeg|gif|webp);base64,)/i

const inlineMarks =
  /(`+)([\s\S]*?[^`])\1(?!`)|!\[([^\]]*)\]\(\s*([^\s)]+)[^)]*\)|\[((?:[^[\]]|\[[^\]]*\])*)\]\(\s*([^\s)]+)[^)]*\)|\*\*([\s\S]+?)\*\*(?!\*)|(?<![\w*])\*([^\s*](?:[^*]*[^\s*])?)\*(?!\*)|(?<!\w)_([^\s_](?:[^_]*[^\s_])?)_(?!\w)|~~([^~]+)~~|<(https?:\/\/[^\s>]+)>|(https?:\/\/[^\s<>"'）】。，]+[^\s<>"'）】。，.,;:!?)])|(\\[\\`*_{}[\]()#+\-.!|~>])|( {2,}\n|\\\n)/g

const textOf = (text: string): Inline[] => (text === '' ? [] : [{ kind: 'text', text }])

const markOf = (found: RegExpExecArray): Inline => {
  const [whole, , code, imageText, imageTo, linkText, linkTo, strong, star, underscore, struck, angle, bare, escaped] =
    found
  if (code !== undefined) return { kind: 'code', text: code.trim() }
  if (imageTo !== undefined)
    return imageAddress.test(imageTo)
      ? { kind: 'image', address: imageTo, text: imageText ?? '' }
      : { kind: 'text', text: whole }
  if (linkTo !== undefined)
    return webAddress.test(linkTo)
      ? { kind: 'link', address: linkTo, children: parseInline(linkText ?? '') }
      : { kind: 'text', text: whole }
  if (strong !== undefined) return { kind: 'strong', children: parseInline(strong) }
  const emphasis = star ?? underscore
  if (emphasis !== undefined) return { kind: 'emphasis', children: parseInline(emphasis) }
  if (struck !== undefined) return { kind: 'struck', children: parseInline(struck) }
  const address = angle ?? bare
  if (address !== undefined) return { kind: 'link', address, children: [{ kind: 'text', text: address }] }
  if (escaped !== undefined) return { kind: 'text', text: escaped.slice(1) }
  return { kind: 'break' }
}

/** Reads the marks inside a line of text; what is no mark stays text. */
export const parseInline = (text: string): Inline[] => {
  const parts: Inline[] = []
  let at = 0
  for (const found of text.matchAll(inlineMarks)) {
    parts.push(...textOf(text.slice(at, found.index)), markOf(found))
    at = found.index + found[0].length
  }
  return [...parts, ...textOf(text.slice(at))]
}

const fence = /^\s{0,3}(`{3,}|~{3,})\s*([\w+#.-]*)/
const heading = /^(#{1,6})\s+(.*?)\s*#*$/
const bullet = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/
const rule = /^\s*([-*_])(\s*\1){2,}\s*$/
const tableRule = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/

/** Where a reader stands in the lines. Mutated while one text is parsed, never shared. */
interface Cursor {
  readonly lines: readonly string[]
  at: number
}

const peek = (cursor: Cursor): string => cursor.lines[cursor.at] ?? ''
const isDone = (cursor: Cursor): boolean => cursor.at >= cursor.lines.length

/** A fence that is still open reaches to the end: an answer that is being written ends anywhere. */
const readCode = (cursor: Cursor, mark: string, language: string): Block => {
  const lines: string[] = []
  cursor.at += 1
  while (!isDone(cursor) && !peek(cursor).trim().startsWith(mark)) {
    lines.push(peek(cursor))
    cursor.at += 1
  }
  cursor.at += 1
  return { kind: 'code', language, text: lines.join('\n') }
}

const readQuote = (cursor: Cursor): Block => {
  const lines: string[] = []
  while (!isDone(cursor) && /^\s{0,3}>/.test(peek(cursor))) {
    lines.push(peek(cursor).replace(/^\s{0,3}>\s?/, ''))
    cursor.at += 1
  }
  return { kind: 'quote', blocks: parseLines(lines) }
}

const indentOf = (line: string): number => line.length - line.trimStart().length

/** The lines of one item: its own and those that are indented below it. */
const readItem = (cursor: Cursor, base: number, first: string): string[] => {
  const lines = [first]
  cursor.at += 1
  while (!isDone(cursor)) {
    const line = peek(cursor)
    const follows = line.trim() === '' ? indentOf(cursor.lines[cursor.at + 1] ?? '') > base : indentOf(line) > base
    if (!follows) break
    lines.push(line.slice(Math.min(indentOf(line), base + 2)))
    cursor.at += 1
  }
  return lines
}

const readList = (cursor: Cursor): Block => {
  const first = bullet.exec(peek(cursor))
  const ordered = /\d/.test(first?.[2] ?? '')
  const base = (first?.[1] ?? '').length
  const items: Block[][] = []
  while (!isDone(cursor)) {
    if (peek(cursor).trim() === '' && bullet.test(cursor.lines[cursor.at + 1] ?? '')) cursor.at += 1
    const found = bullet.exec(peek(cursor))
    if (!found || (found[1] ?? '').length !== base || /\d/.test(found[2] ?? '') !== ordered) break
    items.push(parseLines(readItem(cursor, base, found[3] ?? '')))
  }
  return { kind: 'list', ordered, start: Number.parseInt(first?.[2] ?? '1', 10) || 1, items }
}

const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))

const alignOf = (cell: string): Align => {
  if (cell.startsWith(':') && cell.endsWith(':')) return 'center'
  if (cell.endsWith(':')) return 'right'
  return cell.startsWith(':') ? 'left' : undefined
}

const readTable = (cursor: Cursor): Block => {
  const head = cellsOf(peek(cursor)).map(parseInline)
  const align = cellsOf(cursor.lines[cursor.at + 1] ?? '').map(alignOf)
  cursor.at += 2
  const rows: Inline[][][] = []
  while (!isDone(cursor) && peek(cursor).includes('|')) {
    rows.push(cellsOf(peek(cursor)).slice(0, head.length).map(parseInline))
    cursor.at += 1
  }
  return { kind: 'table', head, align, rows }
}

const beginsTable = (cursor: Cursor): boolean =>
  peek(cursor).includes('|') &&
  tableRule.test(cursor.lines[cursor.at + 1] ?? '') &&
  (cursor.lines[cursor.at + 1] ?? '').includes('-')

const beginsBlock = (cursor: Cursor): boolean => {
  const line = peek(cursor)
  return (
    fence.test(line) ||
    heading.test(line) ||
    bullet.test(line) ||
    rule.test(line) ||
    /^\s{0,3}>/.test(line) ||
    beginsTable(cursor)
  )
}

const readParagraph = (cursor: Cursor): Block => {
  const lines: string[] = []
  do {
    lines.push(peek(cursor))
    cursor.at += 1
  } while (!isDone(cursor) && peek(cursor).trim() !== '' && !beginsBlock(cursor))
  return { kind: 'paragraph', children: parseInline(lines.join('\n')) }
}

const readBlock = (cursor: Cursor): Block => {
  const line = peek(cursor)
  const fenced = fence.exec(line)
  if (fenced) return readCode(cursor, fenced[1] ?? '```', fenced[2] ?? '')
  const headed = heading.exec(line)
  if (headed) {
    cursor.at += 1
    return { kind: 'heading', level: (headed[1] ?? '#').length, children: parseInline(headed[2] ?? '') }
  }
  if (rule.test(line)) {
    cursor.at += 1
    return { kind: 'rule' }
  }
  if (/^\s{0,3}>/.test(line)) return readQuote(cursor)
  if (bullet.test(line)) return readList(cursor)
  return beginsTable(cursor) ? readTable(cursor) : readParagraph(cursor)
}

const parseLines = (lines: readonly string[]): Block[] => {
  const cursor: Cursor = { lines, at: 0 }
  const blocks: Block[] = []
  while (!isDone(cursor)) {
    if (peek(cursor).trim() === '') cursor.at += 1
    else blocks.push(readBlock(cursor))
  }
  return blocks
}

/** The blocks of a Markdown text: headings, paragraphs, lists, code, quotes, tables. HTML in it stays plain text. */
export const parseMarkdown = (text: string): Block[] => parseLines(text.replaceAll('\r\n', '\n').split('\n'))
