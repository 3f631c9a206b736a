import { Button, NativeSelect } from '@mantine/core'
import { pageSizes } from '../../lib/api/contract.ts'
import { formatInteger } from '../../lib/text/format.ts'
import type { TableState } from '../../lib/url/table-state.ts'
import { useUiMessages } from '../messages.ts'
import classes from './data-table.module.css'
import { BulkBar, type BulkBarProps } from './rows/bulk-bar.tsx'

interface Counted {
  total: number
  total_capped?: boolean | undefined
  items: readonly unknown[]
}

/** The range of shown rows and the total; a capped total has a plus. */
const Pager = <F extends string>({ state, page }: { state: TableState<F>; page: Counted | undefined }) => {
  const say = useUiMessages()
  const total = page?.total ?? 0
  const start = (state.page - 1) * state.pageSize + 1
  const end = start + (page?.items.length ?? 0) - 1
  const last = Math.max(1, Math.ceil(total / state.pageSize))
  const range =
    page === undefined
      ? ''
      : page.items.length === 0
        ? say('rangeNone')
        : say('rangeOf', {
            start: formatInteger(start),
            end: formatInteger(end),
            total: `${formatInteger(total)}${page.total_capped ? '+' : ''}`,
          })
  return (
    <nav className={classes.pager} aria-label={say('pages')}>
      <span className="num">{range}</span>
      <NativeSelect
        size="xs"
        aria-label={say('pageSize')}
        value={String(state.pageSize)}
        onChange={(event) => state.setPageSize(Number(event.currentTarget.value))}
        data={pageSizes.map((size) => ({ value: String(size), label: say('perPage', { count: size }) }))}
      />
      <Button onClick={() => state.setPage(state.page - 1)} disabled={state.page <= 1}>
        {say('previous')}
      </Button>
      <Button
        onClick={() => state.setPage(state.page + 1)}
        disabled={state.page >= last && !(page?.total_capped === true && end >= total)}
      >
        {say('next')}
      </Button>
    </nav>
  )
}

/** The bulk actions and the pages. */
export const TableFooter = <Row, F extends string>({
  state,
  page,
  ...bulk
}: BulkBarProps<Row> & { state: TableState<F>; page: Counted | undefined }) => (
  <div className={classes.foot}>
    <BulkBar {...bulk} />
    <span className={classes.grow} />
    <Pager state={state} page={page} />
  </div>
)
