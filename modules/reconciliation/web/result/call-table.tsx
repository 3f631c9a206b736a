import { SegmentedControl } from '@mantine/core'
import type { ReactNode } from 'react'
import { DataTable } from '#web/components/data-table/data-table.tsx'
import { readAll } from '#web/components/data-table/export/read-all.ts'
import { call } from '#web/lib/api/api.ts'
import { type CallList, callLists, calls, type MatchedCalls } from '#web/lib/api/contract.ts'
import { useEndpoint } from '#web/lib/query.ts'
import { formatInteger } from '#web/lib/text/format.ts'
import { useSearchParams } from '#web/lib/url/search-params.ts'
import { useTableState } from '#web/lib/url/table-state.ts'
import { useReconciliationMessages } from '../messages.ts'
import classes from '../reconciliation.module.css'
import { callColumns } from './call-columns.tsx'
import { useCallMessages } from './call-messages.ts'
import { callsText, order } from './calls-text.ts'
import { useResultMessages } from './result-messages.ts'

const table = { name: 'reconciliation-calls', filters: [] } as const

const listOf = (text: string | undefined): CallList => callLists.find((list) => list === text) ?? 'different'

/** Single calls that the report and the log disagree about, one list at a time. */
export const CallTable = (props: { importId: number; matched: MatchedCalls; views: ReactNode }) => {
  const { importId, matched, views } = props
  const say = useReconciliationMessages()
  const sayResult = useResultMessages()
  const sayCalls = useCallMessages()
  const state = useTableState(table)
  const [search, setSearch] = useSearchParams()
  const list = listOf(search.list)
  const params = { id: importId }
  const found = useEndpoint(calls.listReconciledCalls, {
    params,
    query: { list, p: state.page, page_size: state.pageSize },
  })
  return (
    <>
      <p className={classes.matched}>{callsText(matched, sayCalls)}</p>
      <DataTable
        title={sayCalls('title')}
        columns={callColumns(say, sayResult, sayCalls)}
        query={found}
        state={state}
        rowId={({ id }) => id}
        rowName={({ provider_request_id }) => provider_request_id}
        readRows={() =>
          readAll((p, page_size) => call(calls.listReconciledCalls, { params, query: { list, p, page_size } }))
        }
        exportName={`reconciliation-${importId}-${list}`}
        filters={
          <>
            {views}
            <SegmentedControl
              aria-label={sayCalls('list')}
              value={list}
              onChange={(value) => setSearch({ list: value === 'different' ? undefined : value, p: undefined })}
              data={order.map((value) => ({
                value,
                label: sayCalls(value, { count: formatInteger(matched[value]) }),
              }))}
            />
          </>
        }
        empty={{ icon: 'check', title: sayCalls('agreesTitle'), text: sayCalls('agreesText') }}
      />
    </>
  )
}
