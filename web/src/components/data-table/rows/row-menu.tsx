import { ActionIcon } from '@mantine/core'
import { Icon } from '../../display/icon.tsx'
import { Menu } from '../../menu/menu.tsx'
import { useUiMessages } from '../../messages.ts'
import type { RowAction } from '../columns/column.ts'
import { useHeldActions } from './held-actions.ts'

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
