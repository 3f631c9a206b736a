import { PageHeader } from '../../components/page-header.tsx'
import { TabLinks } from '../../components/tab-links.tsx'
import { calls } from '../../lib/api/contract.ts'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import type { FirstRead } from '../../lib/loading/read-ahead.ts'
import { useSearchParams } from '../../lib/url/search-params.ts'
import { tableQueryAt } from '../../lib/url/table-state.ts'
import { usePaymentMessages } from './messages.ts'
import { AllOrders, table } from './orders.tsx'

const Callbacks = onDemand(async () => (await import('./callbacks.tsx')).Callbacks)

const tabs = ['allOrders', 'callbacks'] as const

export const firstRead: FirstRead = (read, search) => {
  if (search.tab !== 'callbacks') read(calls.listOrders, { query: tableQueryAt(table, search) })
}

/** The payments of all users: orders, and what the payment gateway says about them. */
export const PaymentsScreen = () => {
  const say = usePaymentMessages()
  const [search] = useSearchParams()
  const current = tabs.find((name) => name === search.tab) ?? 'allOrders'
  return (
    <>
      <PageHeader title={say('title')} text={say('text')} />
      <TabLinks to="/payment" label={say('tabs')} names={tabs} current={current} textOf={say} />
      {current === 'callbacks' ? <Callbacks /> : <AllOrders />}
    </>
  )
}
