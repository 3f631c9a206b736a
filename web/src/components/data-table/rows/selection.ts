import { useRef, useState } from 'react'

export interface Selection<Row> {
  readonly rows: readonly Row[]
  has: (id: string) => boolean
  /** With `range`, everything between the last toggled row and this one follows it. */
  toggle: (row: Row, options?: { range?: boolean }) => void
  /** Selects the whole page, or clears it when it was selected already. */
  togglePage: () => void
  /** Lets go of a row that is no more. */
  drop: (row: Row) => void
  readonly page: 'none' | 'some' | 'all'
  clear: () => void
}

/** Which rows are selected; the selection survives paging. `rows` is the page that is shown. */
export const useSelection = <Row>(rows: readonly Row[], idOf: (row: Row) => string): Selection<Row> => {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Row>>(new Map())
  const anchor = useRef<string>(undefined)
  const onPage = rows.filter((row) => chosen.has(idOf(row))).length

  const spanTo = (row: Row): readonly Row[] => {
    const from = rows.findIndex((entry) => idOf(entry) === anchor.current)
    const to = rows.findIndex((entry) => idOf(entry) === idOf(row))
    return from < 0 || to < 0 ? [row] : rows.slice(Math.min(from, to), Math.max(from, to) + 1)
  }
  const toggle = (row: Row, { range = false } = {}): void => {
    const wanted = !chosen.has(idOf(row))
    const next = new Map(chosen)
    for (const entry of range ? spanTo(row) : [row]) {
      if (wanted) next.set(idOf(entry), entry)
      else next.delete(idOf(entry))
    }
    anchor.current = idOf(row)
    setChosen(next)
  }
  const togglePage = (): void => {
    const next = new Map(chosen)
    for (const row of rows) {
      if (onPage === rows.length) next.delete(idOf(row))
      else next.set(idOf(row), row)
    }
    setChosen(next)
  }
  // A row that was loaded again replaces the copy that was selected.
  const fresh = new Map(rows.map((row) => [idOf(row), row]))
  return {
    rows: [...chosen].map(([id, row]) => fresh.get(id) ?? row),
    has: (id) => chosen.has(id),
    toggle,
    togglePage,
    drop: (row) => setChosen((before) => new Map([...before].filter(([id]) => id !== idOf(row)))),
    page: onPage === 0 ? 'none' : onPage === rows.length ? 'all' : 'some',
    clear: () => setChosen(new Map()),
  }
}
