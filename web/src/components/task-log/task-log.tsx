import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import type { RangeName } from '../../lib/time/time-range.ts'
import type { TableState } from '../../lib/url/table-state.ts'
import { DataTable, type DataTableProps } from '../data-table/data-table.tsx'
import { Icon, type IconName } from '../display/icon.tsx'
import { RangeFilter } from '../display/time/range-filter.tsx'
import { PageHeader } from '../page-header.tsx'

type Listed = 'columns' | 'query' | 'facets' | 'rowName' | 'rowActions' | 'onOpen' | 'readRows'

interface TaskLogProps<Row, F extends string> extends Pick<DataTableProps<Row, F>, Listed> {
  /** The screen's own words. */
  say: (word: 'title' | 'text' | 'refresh' | 'emptyTitle' | 'emptyText' | 'emptyAction') => string
  icon: IconName
  state: TableState<F>
  range: string | undefined
  /** The default range. */
  fallback: RangeName
  onRange: (range: string) => void
  /** Called when the user asks for current data. */
  onRefresh: () => void
  /** Between the title and the list. */
  note?: ReactNode
  /** In the head, before the button that reads again. */
  actions?: ReactNode
  /** Below an empty list, for readers who have never begun such a task. */
  beginning?: ReactNode
}

/** A list of tasks that others work on, within a range of time. */
export const TaskLog = <Row extends { id: number }, F extends string>(props: TaskLogProps<Row, F>) => {
  const { say, icon, range = 'all', fallback, onRange, onRefresh, note, actions, beginning, ...table } = props
  return (
    <>
      <PageHeader
        title={say('title')}
        text={say('text')}
        actions={
          <>
            {actions}
            <Button leftSection={<Icon name="refresh" size={14} />} onClick={onRefresh}>
              {say('refresh')}
            </Button>
          </>
        }
      />
      {note}
      <DataTable
        {...table}
        title={say('title')}
        rowId={({ id }) => id}
        filters={
          <RangeFilter
            value={range}
            fallback={fallback}
            onChange={(chosen) => {
              onRefresh()
              onRange(chosen ?? fallback)
            }}
          />
        }
        empty={{
          icon,
          title: say('emptyTitle'),
          text: say('emptyText'),
          action: (
            <>
              <Button onClick={() => onRange('all')}>{say('emptyAction')}</Button>
              {beginning}
            </>
          ),
        }}
      />
    </>
  )
}
