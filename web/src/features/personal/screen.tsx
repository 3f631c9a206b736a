import { Button } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Figures } from '../../components/display/figures.tsx'
import { Quota } from '../../components/display/quota.tsx'
import { Invite } from '../../components/invite/invite.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Section } from '../../components/panel-section.tsx'
import { ScreenParts } from '../../components/parts/screen-parts.tsx'
import { securityParts } from '../../components/parts/security-parts.ts'
import { ErrorState } from '../../components/states.tsx'
import { TabBar } from '../../components/tab-bar.tsx'
import { calls, type User } from '../../lib/api/contract.ts'
import type { FirstRead } from '../../lib/loading/read-ahead.ts'
import { useOpenFirstSteps } from '../../lib/open-first-steps.ts'
import { useEndpoint } from '../../lib/query.ts'
import { formatInteger } from '../../lib/text/format.ts'
import { AccessTokens } from './access-tokens/access-tokens.tsx'
import { Bindings } from './bindings/bindings.tsx'
import { usePersonalMessages } from './messages.ts'
import { Models } from './models.tsx'
import { NoticeSettings } from './notices/notices.tsx'
import classes from './personal.module.css'
import { PriceAcceptance } from './prices.tsx'
import { Profile } from './profile.tsx'
import { DeleteAccount } from './security/delete-account.tsx'
import { Password } from './security/password.tsx'
import { SessionList } from './security/security-sessions.tsx'
import { TwoStep } from './security/security-totp.tsx'
import { type PersonalTab, tabOf, tabs } from './tabs.ts'
import { TimeZone } from './time-zone.tsx'

/** Shows the first steps above the keys again, until they are done or dismissed. */
export const FirstSteps = () => {
  const say = usePersonalMessages()
  const open = useOpenFirstSteps()
  return (
    <Section id="guide" title={say('guide')}>
      <p className="muted">{say('guideText')}</p>
      <div>
        <Button onClick={open}>{say('guideShow')}</Button>
      </div>
    </Section>
  )
}

const ProfileTab = ({ user }: { user: User | undefined }) => {
  const say = usePersonalMessages()
  return (
    <>
      <Figures
        figures={[
          { label: say('balance'), value: user && <Quota value={user.quota} /> },
          { label: say('used'), value: user && <Quota value={user.used_quota} /> },
          { label: say('requests'), value: user && formatInteger(user.request_count) },
        ]}
      />
      <div className={classes.columns}>
        <div className={classes.stack}>
          <Profile user={user} />
          <TimeZone />
        </div>
        <div className={classes.stack}>
          <Models />
          <FirstSteps />
        </div>
      </div>
    </>
  )
}

const SecurityTab = () => (
  <div className={classes.columns}>
    <div className={classes.stack}>
      <Password />
    </div>
    <div className={classes.stack}>
      <TwoStep />
      {securityParts.map(({ position, Part }) => (
        <Part key={position} />
      ))}
      <SessionList />
    </div>
  </div>
)

const Narrow = ({ children }: { children: ReactNode }) => (
  <div className={`${classes.stack} ${classes.narrow}`}>{children}</div>
)

const parts: Readonly<Record<PersonalTab, (user: User | undefined) => ReactNode>> = {
  profile: (user) => <ProfileTab user={user} />,
  security: () => <SecurityTab />,
  'access-tokens': () => (
    <Narrow>
      <AccessTokens />
    </Narrow>
  ),
  connections: () => (
    <Narrow>
      <Bindings />
    </Narrow>
  ),
  notifications: (user) => (
    <Narrow>
      <NoticeSettings user={user} />
      <ScreenParts place="own notifications" />
      <PriceAcceptance user={user} />
    </Narrow>
  ),
  invites: (user) => (
    <Narrow>
      <Invite user={user} />
    </Narrow>
  ),
  danger: (user) => (
    <Narrow>
      <DeleteAccount user={user} />
    </Narrow>
  ),
}

const tabWords = {
  profile: 'profile',
  security: 'tabSecurity',
  'access-tokens': 'tabAccessTokens',
  connections: 'tabConnections',
  notifications: 'tabNotifications',
  invites: 'tabInvites',
  danger: 'danger',
} as const satisfies Record<PersonalTab, string>

const Tabs = ({ current }: { current: PersonalTab }) => {
  const say = usePersonalMessages()
  return (
    <TabBar label={say('tabs')} current={tabs.indexOf(current)}>
      {tabs.map((tab) => (
        <Link
          key={tab}
          to="/personal/$section"
          params={{ section: tab }}
          aria-current={tab === current ? 'page' : undefined}
          resetScroll={false}
        >
          {say(tabWords[tab])}
        </Link>
      ))}
    </TabBar>
  )
}

export const firstRead: FirstRead = (read) => read(calls.getSelf)

/** The account: who it belongs to, how it is protected and notified, and its end. */
export const PersonalScreen = () => {
  const say = usePersonalMessages()
  const { pathname, hash } = useLocation()
  const self = useEndpoint(calls.getSelf)
  const user = self.data
  const current = tabOf(pathname, hash)
  if (self.error && !user) return <ErrorState error={self.error} onRetry={() => void self.refetch()} />
  return (
    <>
      <PageHeader title={say('title')} text={say('text')} />
      <Tabs current={current} />
      {parts[current](user)}
    </>
  )
}
