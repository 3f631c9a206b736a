import { Button, Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './catalogue.module.css'
import { useCatalogueMessages } from './messages.ts'

/** The filters on a phone: a sheet from below that says how many models are left. */
export const FilterSheet = (props: {
  count: number
  onClear: () => void
  onClose: () => void
  children: ReactNode
}) => {
  const say = useCatalogueMessages()
  return (
    <Drawer.Root
      opened
      onClose={props.onClose}
      position="bottom"
      size="85%"
      classNames={{ content: classes.sheet ?? '' }}
    >
      <Drawer.Overlay />
      <Drawer.Content>
        <div className={classes.sheetHead}>
          <Drawer.Title>{say('filters')}</Drawer.Title>
          <button type="button" className="text-button" onClick={props.onClear}>
            {say('clear')}
          </button>
        </div>
        <div className={classes.sheetBody}>{props.children}</div>
        <div className={classes.sheetFoot}>
          <Button variant="filled" fullWidth onClick={props.onClose}>
            {say('showModels', { count: props.count })}
          </Button>
        </div>
      </Drawer.Content>
    </Drawer.Root>
  )
}
