import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Icon } from '#web/components/display/icon.tsx'
import { GuidePlace } from '#web/components/guide/guide-place.tsx'
import { PageHeader } from '#web/components/page-header.tsx'
import { calls } from '#web/lib/api/contract.ts'
import { useSession } from '#web/lib/api/session.ts'
import { isStaffNow, mayWrite, useIsStaff } from '#web/lib/api/staff.ts'
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

const AddUser = () => {
  const say = useTodayMessages()
  return (
    <Button component={Link} to="/user/add" leftSection={<Icon name="plus" size={16} />}>
      {say('addUser')}
    </Button>
  )
}

/** The first page after signing in: yesterday, what needs a decision, and who used most. */
export const TodayScreen = () => {
  const say = useTodayMessages()
  const isOperator = useIsStaff('logs')
  const mayAddUsers = mayWrite(useSession(), 'users')
  return (
    <>
      <PageHeader
        title={say('title')}
        text={say(isOperator ? 'siteText' : 'ownText')}
        actions={mayAddUsers && <AddUser />}
      />
      <GuidePlace />
      {isOperator ? <SiteTodayPage /> : <OwnTodayPage />}
    </>
  )
}
