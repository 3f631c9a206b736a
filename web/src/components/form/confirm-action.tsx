import { useState } from 'react'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import type { ConfirmDialogProps } from './confirm-dialog.tsx'

const ConfirmDialog = onDemand<ConfirmDialogProps>(async () => (await import('./confirm-dialog.tsx')).ConfirmDialog)

/** The one question before an act. Screens hold several and seldom ask one: it is fetched and drawn when it is first asked. */
export const ConfirmAction = (props: ConfirmDialogProps) => {
  const [used, setUsed] = useState(props.opened)
  if (props.opened && !used) setUsed(true)
  return used && <ConfirmDialog {...props} />
}

/** A question about one row, whose words stay while its dialog closes. */
interface Question<Row> {
  /** Undefined until the first question. */
  readonly row: Row | undefined
  readonly isOpen: boolean
  readonly ask: (row: Row) => void
  readonly close: () => void
}

export const useQuestion = <Row,>(): Question<Row> => {
  const [asked, setAsked] = useState<{ readonly row: Row; readonly isOpen: boolean }>()
  return {
    row: asked?.row,
    isOpen: asked?.isOpen === true,
    ask: (row) => setAsked({ row, isOpen: true }),
    close: () => setAsked((before) => before && { ...before, isOpen: false }),
  }
}
