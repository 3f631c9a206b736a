import { ActionIcon } from '@mantine/core'
import { useReadOnly } from '../../../lib/api/staff.ts'
import { Icon } from '../../display/icon.tsx'
import { Menu } from '../../menu/menu.tsx'
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

/** The row's ⋯ button. Its actions are made when it opens. */
export const RowMenu = (props: { name: string; actions: () => readonly RowAction[] }) => {
  const say = useUiMessages()
  const held = useHeldActions()
  return (
    <Menu
      button={(buttonProps) => (
        <ActionIcon aria-label={say('rowMenu', { name: props.name })} {...buttonProps}>
          <Icon name="more" />
        </ActionIcon>
      )}
      entries={() => held(props.actions())}
    />
  )
}
