import { useReadOnly } from '../../lib/api/staff.ts'
import { useUiMessages } from '../messages.ts'

/** Props of a button that changes something: on a page that may only be looked at it is disabled and says why. */
export const useHeld = (): { readonly disabled?: true; readonly title?: string } => {
  const say = useUiMessages()
  return useReadOnly() ? { disabled: true, title: say('readOnly') } : {}
}
