import { useReadOnly } from '../../../lib/api/staff.ts'
import { useUiMessages } from '../../messages.ts'
import type { RowAction } from '../columns/column.ts'

/** On a page that may only be looked at, actions that change something are disabled and say why. */
export const useHeldActions = (): ((actions: readonly RowAction[]) => readonly RowAction[]) => {
  const say = useUiMessages()
  const isReadOnly = useReadOnly()
  return (actions) =>
    isReadOnly
      ? actions.map((action) => (action.changes ? { ...action, disabled: true, hint: say('readOnly') } : action))
      : actions
}
