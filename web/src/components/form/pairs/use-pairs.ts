import { useState } from 'react'
import type { PairRow, PairsForm } from './pairs.ts'

let lastId = 0
const withIds = (pairs: readonly Omit<PairRow, 'id'>[]): readonly PairRow[] =>
  pairs.map((pair) => {
    lastId += 1
    return { ...pair, id: lastId }
  })

export interface Pairs {
  /** Undefined where the text is of another kind. */
  readonly pairs: readonly PairRow[] | undefined
  change: (pairs: readonly PairRow[]) => void
  /** Changes one row. */
  set: (id: number, part: Partial<PairRow>) => void
  /** Adds an empty row. */
  add: () => void
  remove: (id: number) => void
}

/** Rows that belong to the text; edits elsewhere (undo, saving, the JSON view) make new ones. */
export const usePairs = (text: string, form: PairsForm, edit: (text: string) => void): Pairs => {
  const [own, setOwn] = useState<{ text: string; pairs: readonly PairRow[] | undefined }>()
  const derive = (): readonly PairRow[] | undefined => {
    const read = form.read(text)
    return read && withIds(read)
  }
  const current = own?.text === text ? own : { text, pairs: derive() }
  if (current !== own) setOwn(current)
  const pairs = current.pairs ?? []
  const change = (next: readonly PairRow[]): void => {
    const written = form.write(next)
    setOwn({ text: written, pairs: next })
    edit(written)
  }
  return {
    pairs: current.pairs,
    change,
    set: (id, part) => change(pairs.map((pair) => (pair.id === id ? { ...pair, ...part } : pair))),
    add: () => change([...pairs, ...withIds([{ name: '', value: '' }])]),
    remove: (id) => change(pairs.filter((pair) => pair.id !== id)),
  }
}
