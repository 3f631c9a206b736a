import { replaceEqualDeep } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'

/**
 * The rows of an answer, where a row that says the same as before is the same object as before, wherever it stands now.
 * The cache keeps equal entries at the same place only: one new row at the top would make all others new.
 */
export const useKeptRows = <Row>(rows: readonly Row[], idOf: (row: Row) => string): readonly Row[] => {
  const previous = useRef<ReadonlyMap<string, Row>>(new Map())
  return useMemo(() => {
    const kept = rows.map((row): [string, Row] => {
      const id = idOf(row)
      const before = previous.current.get(id)
      return [id, before === undefined ? row : replaceEqualDeep(before, row)]
    })
    previous.current = new Map(kept)
    return kept.map(([, row]) => row)
  }, [rows, idOf])
}
