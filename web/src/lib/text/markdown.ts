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
  },
})

/** Marks of the headings that the next one may stand below, from the highest on. */
type Outline = readonly number[]

/** The page has its one h1 already. */
const firstLevel = 2

/** Answers begin with any mark and leave some out; no level of the page is left out, so that it can be read by headings. */
const levelHeadings = (token: Token, outline: Outline): Outline => {
  let open = outline
  answers.walkTokens([token], (inner) => {
    if (inner.type !== 'heading') return
    const mark: number = inner.depth
    open = [...open.filter((above) => above < mark), mark]
    inner.depth = open.length + firstLevel - 1
  })
  return open
}

const pages = new Marked(common, { renderer: { checkbox } })

/** A whole text as HTML that has not been cleaned; HTML in it stays HTML. For texts of the operator. */
export const pageHtml = (text: string): string => pages.parse(text, { async: false })

/** One block of an answer as HTML that has not been cleaned; `at` is where it begins in the text. */
export interface Block {
  readonly at: number
  readonly html: string
}

/** A block with the headings that are open where it begins. */
interface ReadBlock extends Block {
  readonly outline: Outline
}

const blocksOf = (tokens: readonly Token[], from: number, begin: Outline): ReadBlock[] => {
  let [at, outline] = [from, begin]
  return tokens.map((token) => {
    const before = { at, outline }
    outline = levelHeadings(token, outline)
    at += token.raw.length
    return { ...before, html: token.type === 'space' || token.type === 'def' ? '' : answers.parser([token]) }
  })
}

interface Settled {
  readonly text: string
  readonly blocks: readonly ReadBlock[]
  readonly outline: Outline
}

const nothing: Settled = { text: '', blocks: [], outline: [] }

const saysSomething = ({ html }: Block): boolean => html !== ''

/**
 * Reads an answer that grows. Each call reads only what comes after the blocks that cannot change any more, so that a
 * long answer costs no more per frame than its last blocks. A text that does not continue the last one is read anew.
 */
export const createAnswerReader = (): ((text: string) => readonly Block[]) => {
  /** Part of the answer that added text cannot change: everything before the last two blocks. */
  let settled = nothing
  return (source) => {
    const text = source.includes('\r') ? source.replace(/\r\n?/g, '\n') : source
    if (!text.startsWith(settled.text)) settled = nothing
    const tokens = answers.lexer(text.slice(settled.text.length))
    // A definition makes links of what stands before it: then the whole text is read.
    if (tokens.some((token) => token.type === 'def')) return blocksOf(answers.lexer(text), 0, []).filter(saysSomething)
    const blocks = blocksOf(tokens, settled.text.length, settled.outline)
    const spoken = blocks.filter(saysSomething)
    const all = [...settled.blocks, ...spoken]
    // The one before the last may still take it in: a "2" below a list becomes its next item with the dot.
    const end = spoken.at(-2)
    if (end !== undefined && spoken.length > 2) {
      const done = [...settled.blocks, ...spoken.slice(0, -2)]
      settled = { text: text.slice(0, end.at), blocks: done, outline: end.outline }
    }
    return all
  }
}
