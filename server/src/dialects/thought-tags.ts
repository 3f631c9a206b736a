/** Marks that open the model's reasoning at the start of an answer (MiniMax, and Dify before and since 1.0). */
const openingMarks = [/^\s*<(?:mm:)?think>\n?/, /^\s*<details[^>]*>\s*<summary>\s*Thinking\.\.\.\s*<\/summary>\n?/]
const closingMark = /\n?<\/(?:(?:mm:)?think|details)>\n*/
const mayBeginMark = (text: string): boolean => {
  const start = text.trimStart()
  return (
    ['<think>', '<mm:think>'].some((mark) => mark.startsWith(start)) ||
    (start.startsWith('<details') && start.length < 400)
  )
}
/** Characters at the end of a text that may begin a closing mark. */
const heldBack = 14

export interface TaggedPiece {
  readonly kind: 'thinking' | 'text'
  readonly text: string
}

const piece = (kind: TaggedPiece['kind'], text: string): TaggedPiece[] => (text === '' ? [] : [{ kind, text }])

/** Splits a streamed answer into the reasoning at its start and the text after it. */
export const createThinkingSplitter = (): { push(text: string): TaggedPiece[]; rest(): TaggedPiece[] } => {
  let state: 'before' | 'thinking' | 'after' = 'before'
  let held = ''
  /** Line breaks behind a mark belong to it. */
  let isBehindMark = false

  const skipBreaks = (): void => {
    if (!isBehindMark) return
    held = held.replace(/^\n+/, '')
    isBehindMark = held === ''
  }

  const flush = (): TaggedPiece[] => {
    skipBreaks()
    const text = held
    held = ''
    return piece(state === 'thinking' ? 'thinking' : 'text', text)
  }

  const begin = (): TaggedPiece[] => {
    const opening = openingMarks.map((pattern) => pattern.exec(held)).find((match) => match !== null)
    if (opening) {
      state = 'thinking'
      held = held.slice(opening[0].length)
      isBehindMark = true
      return readThinking()
    }
    if (mayBeginMark(held)) return []
    state = 'after'
    return flush()
  }

  const readThinking = (): TaggedPiece[] => {
    skipBreaks()
    const end = closingMark.exec(held)
    if (end === null) {
      const safeEnd = Math.max(0, held.length - heldBack)
      const text = held.slice(0, safeEnd)
      held = held.slice(safeEnd)
      return piece('thinking', text)
    }
    const thinking = piece('thinking', held.slice(0, end.index))
    state = 'after'
    held = held.slice(end.index + end[0].length)
    isBehindMark = true
    return [...thinking, ...flush()]
  }

  return {
    push(text) {
      held += text
      if (state === 'before') return begin()
      return state === 'thinking' ? readThinking() : flush()
    },
    rest: flush,
  }
}
