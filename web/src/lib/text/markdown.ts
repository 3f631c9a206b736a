import { Marked, type Token } from 'marked'

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Tags that answers use inside a line where Markdown has no mark; anything else in angle brackets is meant as text. */
const quietTag = /^<\/?(br|sub|sup|kbd|mark|u|s|ins|del|b|i|em|strong)\s*\/?>$/i

const common = { gfm: true, async: false } as const
const checkbox = ({ checked }: { checked: boolean }): string => (checked ? '☑ ' : '☐ ')

const answers = new Marked(common, {
  renderer: {
    checkbox,
    html: ({ text }) => (quietTag.test(text.trim()) ? text : escaped(text)),
    // The page has its one h1 already.
    heading({ tokens, depth }) {
      const level = Math.min(6, depth + 1)
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>\n`
    },
  },
})

const pages = new Marked(common, { renderer: { checkbox } })

/** A whole text as HTML that has not been cleaned; HTML in it stays HTML. For texts of the operator. */
export const pageHtml = (text: string): string => pages.parse(text, { async: false })

/** One block of an answer as HTML that has not been cleaned; `at` is where it begins in the text. */
export interface Block {
  readonly at: number
  readonly html: string
}

const blocksOf = (tokens: readonly Token[], from: number): Block[] => {
  let at = from
  return tokens.map((token) => {
    const block = { at, html: token.type === 'space' || token.type === 'def' ? '' : answers.parser([token]) }
    at += token.raw.length
    return block
  })
}

const saysSomething = ({ html }: Block): boolean => html !== ''

/**
 * Reads an answer that grows. Each call reads only what comes after the blocks that cannot change any more, so that a
 * long answer costs no more per frame than its last blocks. A text that does not continue the last one is read anew.
 */
export const createAnswerReader = (): ((text: string) => readonly Block[]) => {
  /** What cannot change when text is added: everything before the last two blocks. */
  let settled = { text: '', blocks: [] as readonly Block[] }
  return (source) => {
    const text = source.includes('\r') ? source.replace(/\r\n?/g, '\n') : source
    if (!text.startsWith(settled.text)) settled = { text: '', blocks: [] }
    const tokens = answers.lexer(text.slice(settled.text.length))
    // A definition makes links of what stands before it: then the whole text is read.
    if (tokens.some((token) => token.type === 'def')) return blocksOf(answers.lexer(text), 0).filter(saysSomething)
    const blocks = blocksOf(tokens, settled.text.length)
    const spoken = blocks.filter(saysSomething)
    const all = [...settled.blocks, ...spoken]
    // The one before the last may still take it in: a "2" below a list becomes its next item with the dot.
    const end = spoken.at(-2)?.at
    if (end !== undefined && spoken.length > 2) {
      settled = { text: text.slice(0, end), blocks: [...settled.blocks, ...spoken.slice(0, -2)] }
    }
    return all
  }
}
