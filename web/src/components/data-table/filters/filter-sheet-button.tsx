import { Button } from '@mantine/core'
import { useState } from 'react'
import { onDemand } from '../../../lib/loading/on-demand.tsx'
import { isChosen, type TableState } from '../../../lib/url/table-state.ts'
import { Icon } from '../../display/icon.tsx'
import { useUiMessages } from '../../messages.ts'
import type { Facet } from '../columns/column.ts'
import classes from '../data-table.module.css'
import type { FilterSheetProps } from './filter-sheet.tsx'

const FilterSheet = onDemand<FilterSheetProps>(async () => (await import('./filter-sheet.tsx')).FilterSheet)

/** The one button of a phone for all filters, with the number of those that are set. */
export const FilterSheetButton = <F extends string>(props: { facets: readonly Facet<F>[]; state: TableState<F> }) => {
  const say = useUiMessages()
  const { facets, state } = props
  const [opened, setOpened] = useState(false)
  const count = facets.filter(({ id }) => isChosen(state, id)).length
  return (
    <>
      <Button
        className={classes.filterButton ?? ''}
        leftSection={<Icon name="filter" size={14} />}
        onClick={() => setOpened(true)}
      >
        {say('filters')}
        {count > 0 && <span className={classes.filterCount}>{count}</span>}
      </Button>
      {opened && (
        <FilterSheet
          facets={facets as readonly Facet[]}
          state={state as unknown as TableState}
          onClose={() => setOpened(false)}
        />
      )}
    </>
  )
}
