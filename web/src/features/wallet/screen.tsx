import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { Invite } from '../../components/invite/invite.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { walletParts } from '../../components/parts/wallet-parts.ts'
import { ErrorState } from '../../components/states.tsx'
import { TabLinks } from '../../components/tab-links.tsx'
import { calls, role, type User } from '../../lib/api/contract.ts'
import { useSession } from '../../lib/api/session.ts'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import type { FirstRead } from '../../lib/loading/read-ahead.ts'
import { useEndpoint } from '../../lib/query.ts'
import { useSearchParams } from '../../lib/url/search-params.ts'
import { Balance } from './balance.tsx'
import { useWalletMessages } from './messages.ts'
import { Online } from './online.tsx'
import { OwnOrders } from './orders.tsx'
import classes from './wallet.module.css'

const LedgerTable = onDemand(async () => (await import('../../components/ledger/ledger-table.tsx')).LedgerTable)
const OrderDialog = onDemand(async () => (await import('./order-dialog.tsx')).OrderDialog)

const tabs = ['topUp', 'ledger'] as const
type Tab = (typeof tabs)[number]

const TopUp = ({ user }: { user: User | undefined }) => {
  const say = useWalletMessages()
  return (
    <>
      <Balance user={user} />
      <div className={classes.columns}>
        <Online />
        <div className={classes.stack}>
          {walletParts.map(({ position, Part }) => (
            <Part key={position} />
          ))}
          <Invite user={user} />
        </div>
      </div>
      <h2 className={classes.heading}>{say('orders')}</h2>
      <OwnOrders />
    </>
  )
}

const parts: Readonly<Record<Tab, (user: User | undefined) => ReactNode>> = {
  topUp: (user) => <TopUp user={user} />,
  ledger: () => <LedgerTable />,
}

/** Query parameters that gateways add to the return address. */
const gatewayWords = [
  'pid',
  'trade_no',
  'out_trade_no',
  'type',
  'name',
  'money',
  'trade_status',
  'sign',
  'sign_type',
  'param',
] as const

/** Handles the return from the gateway. Its parameters are not trusted: they only select the order to show. */
const useReturn = (): void => {
  const [search, setSearch] = useSearchParams()
  const { out_trade_no: order } = search
  // The browser's address, written by another site.
  useEffect(() => {
    if (!order) return
    const cleared = Object.fromEntries(gatewayWords.map((name) => [name, undefined]))
    setSearch({ ...cleared, order }, { replace: true })
  })
}

/** Tabs of the payments' page that once were tabs of this one. */
const movedTabs: ReadonlySet<string> = new Set(['allOrders', 'callbacks'])

const useMoved = (): void => {
  const session = useSession()
  const navigate = useNavigate()
  const [{ tab, ...rest }] = useSearchParams()
  const moved = (session?.role ?? 0) >= role.admin && tab !== undefined && movedTabs.has(tab)
  useEffect(() => {
    if (moved) void navigate({ to: '/payment', search: tab === 'callbacks' ? { ...rest, tab } : rest, replace: true })
  })
}

export const firstRead: FirstRead = (read) => {
  read(calls.getSelf)
  read(calls.getTopUpInfo)
}

/** Balance, top-ups, codes, and the records of them all. */
export const WalletScreen = () => {
  const say = useWalletMessages()
  const [search, setSearch] = useSearchParams()
  const self = useEndpoint(calls.getSelf)
  useReturn()
  useMoved()
  const user = self.data
  const current = tabs.find((name) => name === search.tab) ?? 'topUp'
  if (self.error && !user) return <ErrorState error={self.error} onRetry={() => void self.refetch()} />
  return (
    <>
      <PageHeader title={say('title')} text={say('text')} />
      <TabLinks to="/topup" label={say('tabs')} names={tabs} current={current} textOf={say} />
      {parts[current](user)}
      {search.order && <OrderDialog tradeNo={search.order} onClose={() => setSearch({ order: undefined })} />}
    </>
  )
}
