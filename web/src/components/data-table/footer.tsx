import { Button, NativeSelect, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
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

/** The number of the page, which can be typed: Enter or leaving the field turns to it. */
const PageField = <F extends string>({ state, last }: { state: TableState<F>; last: number }) => {
  const say = useUiMessages()
  const [typed, setTyped] = useState<string>()
  const go = (): void => {
    const wanted = Math.min(last, Math.max(1, Math.trunc(Number(typed))))
    setTyped(undefined)
    if (typed?.trim() && Number.isFinite(wanted) && wanted !== state.page) state.setPage(wanted)
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    go()
  }
  return (
    <form className={classes.pageField} onSubmit={submit}>
      <TextInput
        size="xs"
        inputMode="numeric"
        aria-label={say('page')}
        value={typed ?? String(state.page)}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onFocus={(event) => event.currentTarget.select()}
        onBlur={go}
      />
    </form>
  )
}

/** The range of shown rows and the total; a capped total has a plus. A list of one page has nothing to turn. */
const Pager = <F extends string>({ state, page }: { state: TableState<F>; page: Counted | undefined }) => {
  const say = useUiMessages()
  const total = page?.total ?? 0
  const start = (state.page - 1) * state.pageSize + 1
  const end = start + (page?.items.length ?? 0) - 1
  const last = Math.max(1, Math.ceil(total / state.pageSize))
  const capped = page?.total_capped === true
  const isOnePage = page !== undefined && !capped && state.page <= 1 && last <= 1
  // Every size shows the same rows.
  const isShort = isOnePage && total <= (pageSizes[0] ?? 0)
  const range =
    page === undefined
      ? ''
      : page.items.length === 0
        ? say('rangeNone')
        : say('rangeOf', {
            start: formatInteger(start),
            end: formatInteger(end),
            total: `${formatInteger(total)}${capped ? '+' : ''}`,
          })
  return (
    <nav className={classes.pager} aria-label={say('pages')}>
      <span className="num">{range}</span>
      {!isShort && (
        <NativeSelect
          size="xs"
          aria-label={say('pageSize')}
          value={String(state.pageSize)}
          onChange={(event) => state.setPageSize(Number(event.currentTarget.value))}
          data={pageSizes.map((size) => ({ value: String(size), label: say('perPage', { count: size }) }))}
        />
      )}
      {!isOnePage && (
        <div className={classes.turns}>
          <Button size="compact-sm" onClick={() => state.setPage(state.page - 1)} disabled={state.page <= 1}>
            {say('previous')}
          </Button>
          {!state.stepwise && (
            <>
              <PageField state={state} last={capped ? Number.MAX_SAFE_INTEGER : last} />
              <span className="num">{say('ofPages', { count: `${formatInteger(last)}${capped ? '+' : ''}` })}</span>
            </>
          )}
          <Button
            size="compact-sm"
            onClick={() => state.setPage(state.page + 1)}
            disabled={state.page >= last && !(capped && end >= total)}
          >
            {say('next')}
          </Button>
        </div>
      )}
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
    <Pager state={state} page={page} />
  </div>
)
