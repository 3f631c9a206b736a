import { useState } from 'react'
import { Figures } from '../../components/display/figures.tsx'
import { Icon } from '../../components/display/icon.tsx'
import { Quota } from '../../components/display/quota.tsx'
import { calls, type User } from '../../lib/api/contract.ts'
import { useEndpoint } from '../../lib/query.ts'
import { useStatus } from '../../lib/status.ts'
import { useWalletMessages } from './messages.ts'
import classes from './wallet.module.css'

const day = 86_400
const daysLooked = 7
const soonDays = 7
const longDays = 365

/** For how many days a balance lasts at the pace of the last week; undefined when nothing was spent. */
export const daysLeft = (balance: number, spentInWeek: number): number | undefined =>
  spentInWeek > 0 ? Math.floor((Math.max(0, balance) * daysLooked) / spentInWeek) : undefined

const Banner = ({ balance, days }: { balance: number; days: number | undefined }) => {
  const say = useWalletMessages()
  const empty = balance <= 0
  if (!empty && (days === undefined || days >= soonDays)) return null
  return (
    <div className={classes.banner} role="note" data-empty={empty || undefined}>
      <Icon name="warning" />
      <p>{say(empty ? 'noBalance' : 'lowBalance')}</p>
    </div>
  )
}

/**
 * Spending of the last week. The operator may turn off the log or the hourly figures, so either may count too little,
 * neither too much: the larger one is right.
 */
const useSpent = (): { spent: number | undefined; failed: boolean } => {
  const { enable_data_export } = useStatus()
  const [now] = useState(() => Math.floor(Date.now() / 1000))
  const query = { start_timestamp: now - daysLooked * day, end_timestamp: now + day }
  const logged = useEndpoint(calls.statOwnLogs, { query: { start_timestamp: query.start_timestamp } })
  const hourly = useEndpoint(calls.getOwnQuotaData, { query }, { enabled: enable_data_export })
  const waits = enable_data_export && !hourly.data && !hourly.error
  const counted = (hourly.data ?? []).reduce((sum, { quota }) => sum + quota, 0)
  return {
    spent: logged.data && !waits ? Math.max(logged.data.quota, counted) : undefined,
    failed: logged.error !== null,
  }
}

/** The balance, its recent spending, and how long it will last. */
export const Balance = ({ user }: { user: User | undefined }) => {
  const say = useWalletMessages()
  const { spent, failed } = useSpent()
  const days = user && spent !== undefined ? daysLeft(user.quota, spent) : undefined
  const lasts = (): string => {
    if (days === undefined) return say('lastsUnknown')
    return days > longDays ? say('lastsLong') : say('lastsDays', { days, count: days })
  }
  return (
    <>
      {user && spent !== undefined && <Banner balance={user.quota} days={days} />}
      <Figures
        figures={[
          {
            label: say('balance'),
            value: user && <Quota value={user.quota} />,
            ...(user && user.quota <= 0 ? { tone: 'bad' as const } : {}),
          },
          {
            label: say('spentWeek'),
            value: failed ? say('lastsUnknown') : spent === undefined ? undefined : <Quota value={spent} />,
          },
          { label: say('lasts'), value: failed || (user && spent !== undefined) ? lasts() : undefined },
        ]}
      />
    </>
  )
}
