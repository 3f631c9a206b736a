/** A piece of two texts: in both, or in one of them. */
export interface TextPiece {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

/** Words that are compared one by one; of longer texts only common beginnings and ends are found. */
const mostWords = 1_500

const wordsOf = (text: string): string[] => text.match(/\s+|[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu) ?? []

const joined = (pieces: readonly TextPiece[]): TextPiece[] => {
  const merged: TextPiece[] = []
  for (const piece of pieces) {
    const last = merged.at(-1)
    if (piece.text === '') continue
    if (last?.kind === piece.kind) merged[merged.length - 1] = { kind: last.kind, text: last.text + piece.text }
    else merged.push(piece)
  }
  return merged
}

/** The longest common words between two lists, by the usual table. */
const middle = (before: readonly string[], after: readonly string[]): TextPiece[] => {
  if (before.length > mostWords || after.length > mostWords) {
    return [
      { kind: 'removed', text: before.join('') },
      { kind: 'added', text: after.join('') },
    ]
  }
  const width = after.length + 1
  const lengths = new Uint16Array((before.length + 1) * width)
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        before[row] === after[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1))
    }
  }
  const pieces: TextPiece[] = []
  let row = 0
  let column = 0
  while (row < before.length || column < after.length) {
    const [left, right] = [before[row] ?? '', after[column] ?? '']
    if (row < before.length && column < after.length && left === right) {
      pieces.push({ kind: 'same', text: left })
      row += 1
      column += 1
    } else if (column >= after.length || (row < before.length && at(row + 1, column) >= at(row, column + 1))) {
      pieces.push({ kind: 'removed', text: left })
      row += 1
    } else {
      pieces.push({ kind: 'added', text: right })
      column += 1
    }
  }
  return pieces
}

/** How `after` differs from `before`, word by word. */
export const textDifference = (before: string, after: string): TextPiece[] => {
  const [left, right] = [wordsOf(before), wordsOf(after)]
  let start = 0
  while (start < left.length && start < right.length && left[start] === right[start]) start += 1
  let end = 0
  while (end < Math.min(left.length, right.length) - start && left.at(-1 - end) === right.at(-1 - end)) end += 1
  return joined([
    { kind: 'same', text: left.slice(0, start).join('') },
    ...middle(left.slice(start, left.length - end), right.slice(start, right.length - end)),
    { kind: 'same', text: left.slice(left.length - end).join('') },
  ])
}
