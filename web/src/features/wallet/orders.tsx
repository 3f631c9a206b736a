import { useMemo } from 'react'
import { DataTable } from '../../components/data-table/data-table.tsx'
import { readAll } from '../../components/data-table/export/read-all.ts'
import { useOrderMessages } from '../../components/orders/messages.ts'
import { orderColumns, statusFacet } from '../../components/orders/order-columns.tsx'
import { call } from '../../lib/api/api.ts'
import { calls } from '../../lib/api/contract.ts'
import { useEndpoint } from '../../lib/query.ts'
import { useSearchParams } from '../../lib/url/search-params.ts'
import { useTableState } from '../../lib/url/table-state.ts'
import { useWalletMessages } from './messages.ts'

const filters = ['status', 'trade_no'] as const

/** The own orders; one opens with its state. */
export const OwnOrders = () => {
  const say = useWalletMessages()
  const sayOrder = useOrderMessages()
  const [, setSearch] = useSearchParams()
  const state = useTableState({ name: 'orders', filters })
  const orders = useEndpoint(calls.listOwnOrders, { query: state.query })
  const columns = useMemo(() => orderColumns(sayOrder, { forAdmin: false }), [sayOrder])
  return (
    <DataTable
      title={say('orders')}
      columns={columns}
      query={orders}
      state={state}
      rowId={(order) => order.id}
      rowName={(order) => order.trade_no}
      quiet={(order) => order.status === 'expired'}
      search={{ filter: 'trade_no', placeholder: sayOrder('tradeNo') }}
      facets={[statusFacet(sayOrder)]}
      onOpen={(order) => setSearch({ order: order.trade_no })}
      readRows={() => readAll((p, page_size) => call(calls.listOwnOrders, { query: { ...state.query, p, page_size } }))}
      empty={{ icon: 'wallet', title: sayOrder('ordersEmpty'), text: say('ordersEmptyText') }}
    />
  )
}
