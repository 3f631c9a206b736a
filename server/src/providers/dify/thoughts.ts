/** How apps mark what their model thought, in the middle of the answer (Dify before and since 1.0). */
const openings = [/^\s*<think>\n?/, /^\s*<details[^>]*>\s*<summary>\s*Thinking\.\.\.\s*<\/summary>\n?/]
const closing = /\n?<\/(?:think|details)>\n*/
const mayOpen = (text: string): boolean => {
  const start = text.trimStart()
  return '<think>'.startsWith(start) || (start.startsWith('<details') && start.length < 400)
}
/** So much of a text's end may be the beginning of a closing mark. */
const longestMark = 12

export interface Piece {
  readonly kind: 'thinking' | 'text'
  readonly text: string
}

const piece = (kind: Piece['kind'], text: string): Piece[] => (text === '' ? [] : [{ kind, text }])

/** Takes an answer apart as it comes: what was thought, which stands at its beginning, and what is said. */
export const openThoughts = (): { push(text: string): Piece[]; rest(): Piece[] } => {
  let state: 'before' | 'thinking' | 'after' = 'before'
  let held = ''

  const flush = (): Piece[] => {
    const text = held
    held = ''
    return piece(state === 'thinking' ? 'thinking' : 'text', text)
  }

  const begin = (): Piece[] => {
    const opening = openings.map((pattern) => pattern.exec(held)).find((match) => match !== null)
    if (opening) {
      state = 'thinking'
      held = held.slice(opening[0].length)
      return think()
    }
    if (mayOpen(held)) return []
    state = 'after'
    return flush()
  }

  const think = (): Piece[] => {
    const end = closing.exec(held)
    if (end === null) {
      const sure = Math.max(0, held.length - longestMark)
      const text = held.slice(0, sure)
      held = held.slice(sure)
      return piece('thinking', text)
    }
    const thought = piece('thinking', held.slice(0, end.index))
    state = 'after'
    held = held.slice(end.index + end[0].length)
    return [...thought, ...flush()]
  }

  return {
    push(text) {
      held += text
      if (state === 'before') return begin()
      return state === 'thinking' ? think() : flush()
    },
    rest: flush,
  }
}
