import { GuidePlace } from '#web/components/guide/guide-place.tsx'
import { PageHeader } from '#web/components/page-header.tsx'
import { calls } from '#web/lib/api/contract.ts'
import { isStaffNow, useIsStaff } from '#web/lib/api/staff.ts'
import type { FirstRead } from '#web/lib/loading/read-ahead.ts'
import { timeZone, zoneName } from '#web/lib/time/time-zone.ts'
import { useTodayMessages } from './messages.ts'
import { OwnTodayPage } from './own/own-today.tsx'
import { SiteTodayPage } from './site-today.tsx'

export const firstRead: FirstRead = (read) => {
  const query = { zone: zoneName(timeZone()) }
  if (isStaffNow('logs')) read(calls.getToday, { query })
  else read(calls.getOwnToday, { query })
}

/** The first page after signing in: yesterday, what needs a decision, and who used most. */
export const TodayScreen = () => {
  const say = useTodayMessages()
  const isOperator = useIsStaff('logs')
  return (
    <>
      <PageHeader title={say('title')} text={say(isOperator ? 'siteText' : 'ownText')} />
      <GuidePlace />
      {isOperator ? <SiteTodayPage /> : <OwnTodayPage />}
    </>
  )
}
