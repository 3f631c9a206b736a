import { Figures } from '../../components/figures.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Quota } from '../../components/quota.tsx'
import { ErrorState } from '../../components/states.tsx'
import { calls } from '../../lib/contract.ts'
import { formatInteger } from '../../lib/format.ts'
import { useEndpoint } from '../../lib/query.ts'
import { AccessToken } from './access-token.tsx'
import { usePersonalWords } from './messages.ts'
import { Models } from './models.tsx'
import { Password } from './password.tsx'
import classes from './personal.module.css'
import { Profile } from './profile.tsx'
import { Passkeys } from './security-passkeys.tsx'
import { SessionList } from './security-sessions.tsx'
import { TwoStep } from './security-totp.tsx'

export const PersonalScreen = () => {
  const say = usePersonalWords()
  const self = useEndpoint(calls.getSelf)
  const user = self.data
  if (self.error && !user) return <ErrorState error={self.error} onRetry={() => void self.refetch()} />
  return (
    <>
      <PageHeader title={say('title')} text={say('text')} />
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
          <AccessToken />
          <SessionList />
        </div>
        <div className={classes.stack}>
          <Models />
          <Password />
          <TwoStep />
          <Passkeys />
        </div>
      </div>
    </>
  )
}
