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
