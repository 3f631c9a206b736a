import { useState } from 'react'
import { Figures } from '../../components/figures.tsx'
import { Icon } from '../../components/icon.tsx'
import { Quota } from '../../components/quota.tsx'
import { calls, type User } from '../../lib/contract.ts'
import { useEndpoint } from '../../lib/query.ts'
import { useWalletWords } from './messages.ts'
import classes from './wallet.module.css'

const day = 86_400
const daysLooked = 7
const soonDays = 7
const longDays = 365

/** For how many days a balance lasts at the pace of the last week; undefined when nothing was spent. */
export const daysLeft = (balance: number, spentInWeek: number): number | undefined =>
  spentInWeek > 0 ? Math.floor((Math.max(0, balance) * daysLooked) / spentInWeek) : undefined

const Banner = ({ balance, days }: { balance: number; days: number | undefined }) => {
  const say = useWalletWords()
  const empty = balance <= 0
  if (!empty && (days === undefined || days >= soonDays)) return null
  return (
    <div className={classes.banner} role="note" data-empty={empty || undefined}>
      <Icon name="warning" />
      <p>{say(empty ? 'noBalance' : 'lowBalance')}</p>
    </div>
  )
}

/** What is there, what goes away, and for how long it lasts. */
export const Balance = ({ user }: { user: User | undefined }) => {
  const say = useWalletWords()
  const [since] = useState(() => Math.floor(Date.now() / 1000) - daysLooked * day)
  const spent = useEndpoint(calls.statOwnLogs, { query: { start_timestamp: since } })
  const days = user && spent.data ? daysLeft(user.quota, spent.data.quota) : undefined
  const lasts = (): string => {
    if (days === undefined) return say('lastsUnknown')
    return days > longDays ? say('lastsLong') : say('lastsDays', { days, count: days })
  }
  return (
    <>
      {user && spent.data && <Banner balance={user.quota} days={days} />}
      <Figures
        figures={[
          {
            label: say('balance'),
            value: user && <Quota value={user.quota} />,
            ...(user && user.quota <= 0 ? { tone: 'bad' as const } : {}),
          },
          {
            label: say('spentWeek'),
            value: spent.error ? say('lastsUnknown') : spent.data && <Quota value={spent.data.quota} />,
          },
          { label: say('lasts'), value: spent.error || (user && spent.data) ? lasts() : undefined },
        ]}
      />
    </>
  )
}
