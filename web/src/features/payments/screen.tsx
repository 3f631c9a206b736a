import { Link } from '@tanstack/react-router'
import { PageHeader } from '../../components/page-header.tsx'
import { TabBar } from '../../components/tab-bar.tsx'
import { calls } from '../../lib/api/contract.ts'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import type { FirstRead } from '../../lib/loading/read-ahead.ts'
import { useSearchParams } from '../../lib/url/search-params.ts'
import { tableQueryAt } from '../../lib/url/table-state.ts'
import { usePaymentMessages } from './messages.ts'
import { AllOrders, table } from './orders.tsx'

const Callbacks = onDemand(async () => (await import('./callbacks.tsx')).Callbacks)

const tabs = ['allOrders', 'callbacks'] as const
const exactly = { exact: true, includeSearch: true }

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
      <TabBar label={say('tabs')} current={tabs.indexOf(current)}>
        {tabs.map((name) => (
          <Link
            key={name}
            to="/payment"
            search={name === 'allOrders' ? {} : { tab: name }}
            activeOptions={exactly}
            aria-current={name === current ? 'page' : undefined}
            resetScroll={false}
          >
            {say(name)}
          </Link>
        ))}
      </TabBar>
      {current === 'callbacks' ? <Callbacks /> : <AllOrders />}
    </>
  )
}
