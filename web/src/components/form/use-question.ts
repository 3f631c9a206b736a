import { useState } from 'react'

/** A question about one row, whose words stay while its dialog closes. */
export interface RowQuestion<Row> {
  /** Undefined until the first question. */
  readonly row: Row | undefined
  readonly isOpen: boolean
  readonly ask: (row: Row) => void
  readonly close: () => void
}

export const useQuestion = <Row>(): RowQuestion<Row> => {
  const [asked, setAsked] = useState<{ readonly row: Row; readonly isOpen: boolean }>()
  return {
    row: asked?.row,
    isOpen: asked?.isOpen === true,
    ask: (row) => setAsked({ row, isOpen: true }),
    close: () => setAsked((before) => before && { ...before, isOpen: false }),
  }
}
