import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Facet, RowAction } from '../../components/data-table/columns/column.ts'
import { DataTable } from '../../components/data-table/data-table.tsx'
import { readAll } from '../../components/data-table/export/read-all.ts'
import { call } from '../../lib/api/api.ts'
import { calls, orderStates, paymentMethods, type TopUpOrder } from '../../lib/api/contract.ts'
import { useAction, useEndpoint } from '../../lib/query.ts'
import { useSearchParams } from '../../lib/url/search-params.ts'
import { useTableState } from '../../lib/url/table-state.ts'
import { type SayWallet, useWalletMessages } from './messages.ts'
import { methodName } from './methods.ts'
import { orderColumns } from './order-columns.tsx'

const ownFilters = ['status', 'trade_no'] as const
const filters = ['status', 'payment_method', 'username', 'trade_no'] as const

const statusFacet = (say: SayWallet): Facet<'status'> => ({
  kind: 'choice',
  id: 'status',
  label: say('status'),
  options: orderStates.map((value) => ({ value, label: say(`status_${value}`) })),
})

const allFacets = (say: SayWallet): readonly Facet<(typeof filters)[number]>[] => [
  statusFacet(say),
  {
    kind: 'choice',
    id: 'payment_method',
    label: say('method'),
    options: paymentMethods.map((value) => ({ value, label: methodName(value, say) })),
  },
  { kind: 'text', id: 'username', label: say('username') },
]

/** The own orders; one opens with its state. */
export const OwnOrders = () => {
  const say = useWalletMessages()
  const [, setSearch] = useSearchParams()
  const state = useTableState({ name: 'orders', filters: ownFilters })
  const orders = useEndpoint(calls.listOwnOrders, { query: state.query })
  const columns = useMemo(() => orderColumns(say, { forAdmin: false }), [say])
  return (
    <DataTable
      title={say('orders')}
      columns={columns}
      query={orders}
      state={state}
      rowId={(order) => order.id}
      rowName={(order) => order.trade_no}
      quiet={(order) => order.status === 'expired'}
      search={{ filter: 'trade_no', placeholder: say('tradeNo') }}
      facets={[statusFacet(say)]}
      onOpen={(order) => setSearch({ order: order.trade_no })}
      readRows={() => readAll((p, page_size) => call(calls.listOwnOrders, { query: { ...state.query, p, page_size } }))}
      empty={{ icon: 'wallet', title: say('ordersEmpty'), text: say('ordersEmptyText') }}
    />
  )
}

/** Everybody's orders, for admins. */
export const AllOrders = () => {
  const say = useWalletMessages()
  const navigate = useNavigate()
  const state = useTableState({ name: 'all-orders', filters })
  const orders = useEndpoint(calls.listOrders, { query: state.query })
  const columns = useMemo(() => orderColumns(say, { forAdmin: true }), [say])
  const check = useAction(calls.checkOrder, {
    refresh: [calls.listOrders, calls.listOwnOrders, calls.listPaymentCallbacks, calls.getSelf],
    done: say('checked'),
  })
  const actions = (order: TopUpOrder): readonly RowAction[] => [
    {
      label: say('check'),
      icon: 'refresh',
      hint: say('checkHint'),
      disabled: order.status === 'success',
      onClick: () => void check.run({ params: { id: order.id } }),
    },
    {
      label: say('showCallbacks'),
      icon: 'history',
      onClick: () => void navigate({ to: '/topup', search: { tab: 'callbacks', trade_no: order.trade_no } }),
    },
  ]
  return (
    <DataTable
      title={say('allOrders')}
      columns={columns}
      query={orders}
      state={state}
      rowId={(order) => order.id}
      rowName={(order) => order.trade_no}
      quiet={(order) => order.status === 'expired'}
      search={{ filter: 'trade_no', placeholder: say('tradeNo') }}
      facets={allFacets(say)}
      rowActions={actions}
      readRows={() => readAll((p, page_size) => call(calls.listOrders, { query: { ...state.query, p, page_size } }))}
      empty={{ icon: 'wallet', title: say('ordersEmpty'), text: say('allOrdersEmptyText') }}
    />
  )
}
