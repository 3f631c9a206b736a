import { Button, Drawer } from '@mantine/core'
import { useState } from 'react'
import type { TableState } from '../../../lib/url/table-state.ts'
import { Icon } from '../../display/icon.tsx'
import { useUiMessages } from '../../messages.ts'
import type { Facet } from '../columns/column.ts'
import { FacetEditor, facetLabels } from './facet-editor.tsx'
import classes from './filter-sheet.module.css'

export interface FilterSheetProps {
  facets: readonly Facet[]
  state: TableState
  onClose: () => void
}

const Row = ({ facet, state }: { facet: Facet; state: TableState }) => {
  const say = useUiMessages()
  const [opened, setOpened] = useState(false)
  const labels = facetLabels(facet, state)
  return (
    <li>
      <button type="button" className={classes.row} aria-expanded={opened} onClick={() => setOpened(!opened)}>
        <span>{facet.label}</span>
        <span className={labels.length > 0 ? classes.set : 'faint'}>
          {labels.length > 0 ? labels.join(', ') : say('any')}
        </span>
        <Icon name={opened ? 'up' : 'right'} size={14} />
      </button>
      {opened && (
        <div className={classes.editor}>
          <FacetEditor facet={facet} state={state} close={() => setOpened(false)} />
        </div>
      )}
    </li>
  )
}

/** All filters of a list in a sheet from below, for phones. */
export const FilterSheet = ({ facets, state, onClose }: FilterSheetProps) => {
  const say = useUiMessages()
  return (
    <Drawer.Root
      opened
      onClose={onClose}
      position="bottom"
      classNames={{ inner: classes.inner ?? '', content: classes.sheet ?? '' }}
    >
      <Drawer.Overlay />
      <Drawer.Content>
        <div className={classes.head}>
          <Drawer.Title className={classes.title}>{say('filters')}</Drawer.Title>
          <Drawer.CloseButton size={44} aria-label={say('close')} />
        </div>
        <ul className={classes.list}>
          {facets.map((facet) => (
            <Row key={facet.id} facet={facet} state={state} />
          ))}
        </ul>
        <div className={classes.foot}>
          <Button onClick={state.clearFilters} disabled={!state.filtered}>
            {say('clearFilters')}
          </Button>
          <Button variant="filled" onClick={onClose}>
            {say('showResults')}
          </Button>
        </div>
      </Drawer.Content>
    </Drawer.Root>
  )
}
