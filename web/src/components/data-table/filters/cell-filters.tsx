import { Button } from '@mantine/core'
import { useState } from 'react'
import { onDemand } from '../../../lib/loading/on-demand.tsx'
import type { TableState } from '../../../lib/url/table-state.ts'
import { printList, readList } from '../../../lib/url/url-state.ts'
import { useUiMessages } from '../../messages.ts'
import type { Column, Facet, RowAction } from '../columns/column.ts'
import classes from './cell-filters.module.css'

const CellDialog = onDemand(async () => (await import('../rows/cell-dialog.tsx')).CellDialog)

interface Parts<Row, F extends string> {
  columns: readonly Column<Row>[]
  facets: readonly Facet<F>[]
  state: TableState<F>
  nameOf: (row: Row) => string
  actionsOf: ((row: Row) => readonly RowAction[]) | undefined
}

/** A value of a row that its list can be narrowed to. */
interface Value<F extends string> {
  column: string
  facet: Facet<F>
  value: string
  label: string
}

interface CellFilterDialogProps<F extends string> {
  /** The values of the row whose dialog is open, and the row's name. */
  values: { readonly name: string; readonly found: readonly Value<F>[] } | undefined
  only: (found: Value<F>) => void
  exclude: (found: Value<F>) => void
  close: () => void
}

interface CellFilters<Row, F extends string> extends CellFilterDialogProps<F> {
  /** The row's menu, which also leads to its values; undefined where there is nothing to do with rows. */
  actionsOf: ((row: Row) => readonly RowAction[]) | undefined
  /** The same for the right button, with the values of the cell that it was pressed on before the rest. */
  cellActions: (row: Row, target: EventTarget) => readonly RowAction[]
}

const columnOf = (target: EventTarget): string | undefined =>
  target instanceof Element ? target.closest<HTMLElement>('[data-column]')?.dataset.column : undefined

/** Inserts an action before the first dangerous one. */
const beforeDanger = (actions: readonly RowAction[], entry: RowAction): readonly RowAction[] => {
  const place = actions.findIndex(({ danger }) => danger)
  return place < 0 ? [...actions, entry] : actions.toSpliced(place, 0, entry)
}

/**
 * Lets people narrow a list to the values that they see in it, or to everything else. Render
 * `<CellFilterDialog {...cells} />` once.
 */
export const useCellFilters = <Row, F extends string>(parts: Parts<Row, F>): CellFilters<Row, F> => {
  const say = useUiMessages()
  const { state, actionsOf } = parts
  const [openRow, setOpenRow] = useState<Row>()

  const valuesOf = (row: Row): readonly Value<F>[] =>
    parts.columns.flatMap((column) =>
      (column.filters?.(row) ?? []).flatMap((cell) => {
        const facet = parts.facets.find(({ id }) => id === cell.facet)
        // In a list of choices a comma would make two values of one.
        if (!facet || cell.value === '' || (facet.kind === 'choice' && cell.value.includes(','))) return []
        const option = facet.kind === 'choice' && facet.options.find(({ value }) => value === cell.value)
        return [{ column: column.id, facet, value: cell.value, label: option ? option.label : cell.value }]
      }),
    )
  const only = ({ facet, value }: Value<F>): void => state.setFilter(facet.id, value, { not: false })
  const exclude = ({ facet, value }: Value<F>): void => {
    const more = facet.kind === 'choice' && !facet.single && state.not.includes(facet.id)
    const before = more ? readList(state.filters[facet.id]).filter((entry) => entry !== value) : []
    state.setFilter(facet.id, printList([...before, value]), { not: true })
  }
  const ofValue = (found: Value<F>): readonly RowAction[] => {
    const words = { name: found.facet.label, value: found.label }
    return [
      { label: say('filterCell', words), icon: 'filter', onClick: () => only(found) },
      ...(found.facet.not
        ? [{ label: say('excludeCell', words), icon: 'filter', onClick: () => exclude(found) } as const]
        : []),
    ]
  }
  const withValues = (row: Row): readonly RowAction[] => {
    const actions = actionsOf?.(row) ?? []
    // A row that nothing can be done with has no menu.
    const nothing = actionsOf !== undefined && actions.length === 0
    if (nothing || valuesOf(row).length === 0) return actions
    return beforeDanger(actions, { label: say('filterByRow'), icon: 'filter', onClick: () => setOpenRow(row) })
  }
  return {
    actionsOf: actionsOf || parts.columns.some(({ filters }) => filters) ? withValues : undefined,
    cellActions: (row, target) => {
      const column = columnOf(target)
      return [
        ...valuesOf(row)
          .filter((found) => found.column === column)
          .flatMap(ofValue),
        ...withValues(row),
      ]
    },
    values: openRow && { name: parts.nameOf(openRow), found: valuesOf(openRow) },
    only,
    exclude,
    close: () => setOpenRow(undefined),
  }
}

/** The values of one row that its list can be narrowed to. */
export const CellFilterDialog = <F extends string>(props: CellFilterDialogProps<F>) => {
  const say = useUiMessages()
  const { values, only, exclude, close } = props
  if (!values) return null
  const act = (how: (found: Value<F>) => void, found: Value<F>) => (): void => {
    how(found)
    close()
  }
  return (
    <CellDialog title={say('filterByRowTitle', { name: values.name })} onClose={close}>
      <ul className={classes.values}>
        {values.found.map((found) => (
          <li key={`${found.facet.id} ${found.value}`}>
            <span>
              <span className="muted">{found.facet.label}</span> {found.label}
            </span>
            <Button
              aria-label={say('filterCell', { name: found.facet.label, value: found.label })}
              onClick={act(only, found)}
            >
              {say('only')}
            </Button>
            {found.facet.not && (
              <Button
                aria-label={say('excludeCell', { name: found.facet.label, value: found.label })}
                onClick={act(exclude, found)}
              >
                {say('exclude')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </CellDialog>
  )
}
