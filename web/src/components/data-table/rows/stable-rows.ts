import { replaceEqualDeep } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'

/**
 * Returns the rows with the identity of the previous answer's equal rows, at any position. The cache compares by
 * position only: a new row at the top would make all rows new.
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
