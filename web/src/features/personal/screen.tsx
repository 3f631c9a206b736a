import { Figures } from '../../components/display/figures.tsx'
import { Quota } from '../../components/display/quota.tsx'
import { Invite } from '../../components/invite/invite.tsx'
import { useInviteMessages } from '../../components/invite/messages.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { ErrorState } from '../../components/states.tsx'
import { calls } from '../../lib/api/contract.ts'
import { useEndpoint } from '../../lib/query.ts'
import { formatInteger } from '../../lib/text/format.ts'
import { useBindingMessages } from './bindings/binding-messages.ts'
import { Bindings } from './bindings/bindings.tsx'
import { FirstSteps } from './first-steps.tsx'
import { usePersonalMessages } from './messages.ts'
import { Models } from './models.tsx'
import { useNoticeMessages } from './notices/notice-messages.ts'
import { NoticeSettings } from './notices/notices.tsx'
import classes from './personal.module.css'
import { PriceAcceptance } from './prices.tsx'
import { Profile } from './profile.tsx'
import { SectionIndex } from './section-index.tsx'
import { AccessToken } from './security/access-token.tsx'
import { DeleteAccount } from './security/delete-account.tsx'
import { Password } from './security/password.tsx'
import { useSecurityMessages } from './security/security-messages.ts'
import { Passkeys } from './security/security-passkeys.tsx'
import { SessionList } from './security/security-sessions.tsx'
import { TwoStep } from './security/security-totp.tsx'
import { TimeZone } from './time-zone.tsx'

/** The sections that the page's index names, in the order of the page. */
const useSections = (): readonly (readonly [id: string, title: string])[] => {
  const say = usePersonalMessages()
  const binding = useBindingMessages()
  const invite = useInviteMessages()
  const notice = useNoticeMessages()
  const security = useSecurityMessages()
  return [
    ['profile', say('profile')],
    ['time-zone', say('timeZone')],
    ['guide', say('guide')],
    ['models', say('models')],
    ['invite', invite('title')],
    ['notices', notice('title')],
    ['prices', notice('prices')],
    ['bindings', binding('title')],
    ['password', say('security')],
    ['two-step', security('totp')],
    ['passkeys', security('passkeys')],
    ['access-token', say('token')],
    ['sessions', security('sessions')],
    ['danger', say('danger')],
  ]
}

export const PersonalScreen = () => {
  const say = usePersonalMessages()
  const sections = useSections()
  const self = useEndpoint(calls.getSelf)
  const user = self.data
  if (self.error && !user) return <ErrorState error={self.error} onRetry={() => void self.refetch()} />
  return (
    <>
      <PageHeader title={say('title')} text={say('text')} />
      <SectionIndex label={say('sections')} sections={sections} />
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
          <FirstSteps />
          <Models />
          <Invite user={user} />
          <NoticeSettings user={user} />
          <PriceAcceptance user={user} />
        </div>
        <div className={classes.stack}>
          <Bindings />
          <Password />
          <TwoStep />
          <Passkeys />
          <AccessToken />
          <SessionList />
          <DeleteAccount user={user} />
        </div>
      </div>
    </>
  )
}
