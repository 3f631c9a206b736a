import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { Facet, RowAction } from '../../components/data-table/columns/column.ts'
import { DataTable } from '../../components/data-table/data-table.tsx'
import { readAll } from '../../components/data-table/export/read-all.ts'
import { type SayOrder, useOrderMessages } from '../../components/orders/messages.ts'
import { methodName, type PayMethods } from '../../components/orders/methods.ts'
import { orderColumns, statusFacet } from '../../components/orders/order-columns.tsx'
import { call } from '../../lib/api/api.ts'
import { calls, role, type TopUpOrder } from '../../lib/api/contract.ts'
import { useSession } from '../../lib/api/session.ts'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import { useAction, useEndpoint } from '../../lib/query.ts'
import { useTableState } from '../../lib/url/table-state.ts'
import { usePaymentMessages } from './messages.ts'

const CompleteOrder = onDemand(async () => (await import('./complete-order.tsx')).CompleteOrder)

const filters = ['status', 'payment_method', 'username', 'trade_no'] as const
export const table = { name: 'all-orders', filters } as const

const facetsOf = (say: SayOrder, methods: PayMethods): readonly Facet<(typeof filters)[number]>[] => [
  statusFacet(say),
  {
    kind: 'choice',
    id: 'payment_method',
    label: say('method'),
    options: methods.map(({ type }) => ({ value: type, label: methodName(type, say, methods) })),
  },
  { kind: 'text', id: 'username', label: say('username') },
]

const noMethods: PayMethods = []

/** The orders of all users; the gateway can be asked about one that is not paid. */
export const AllOrders = () => {
  const say = usePaymentMessages()
  const sayOrder = useOrderMessages()
  const navigate = useNavigate()
  const state = useTableState(table)
  const orders = useEndpoint(calls.listOrders, { query: state.query })
  const methods = useEndpoint(calls.getTopUpInfo).data?.methods ?? noMethods
  const columns = useMemo(() => orderColumns(sayOrder, { forAdmin: true, methods }), [sayOrder, methods])
  const isRoot = (useSession()?.role ?? 0) >= role.root
  const [completing, setCompleting] = useState<TopUpOrder>()
  const check = useAction(calls.checkOrder, {
    refresh: [calls.listOrders, calls.listOwnOrders, calls.listPaymentCallbacks, calls.getSelf],
    done: say('checked'),
  })
  const actions = (order: TopUpOrder): readonly RowAction[] => [
    {
      label: say('check'),
      icon: 'refresh',
      changes: true,
      hint: say('checkHint'),
      disabled: order.status === 'success',
      onClick: () => void check.run({ params: { id: order.id } }),
    },
    ...(isRoot
      ? [
          {
            label: say('complete'),
            icon: 'check' as const,
            changes: true,
            hint: say('completeHint'),
            disabled: order.status === 'success',
            onClick: () => setCompleting(order),
          },
        ]
      : []),
    {
      label: say('showCallbacks'),
      icon: 'history',
      onClick: () => void navigate({ to: '/payment', search: { tab: 'callbacks', trade_no: order.trade_no } }),
    },
  ]
  return (
    <>
      <DataTable
        title={say('allOrders')}
        columns={columns}
        query={orders}
        state={state}
        rowId={(order) => order.id}
        rowName={(order) => order.trade_no}
        quiet={(order) => order.status === 'expired'}
        search={{ filter: 'trade_no', placeholder: sayOrder('tradeNo') }}
        facets={facetsOf(sayOrder, methods)}
        rowActions={actions}
        readRows={() => readAll((p, page_size) => call(calls.listOrders, { query: { ...state.query, p, page_size } }))}
        empty={{ icon: 'wallet', title: sayOrder('ordersEmpty'), text: say('allOrdersEmptyText') }}
      />
      {completing && <CompleteOrder order={completing} onClose={() => setCompleting(undefined)} />}
    </>
  )
}
