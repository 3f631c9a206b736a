import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { calls } from '../../lib/api/contract.ts'
import { useSession } from '../../lib/api/session.ts'
import { useEndpoint } from '../../lib/query.ts'
import { useStatus } from '../../lib/status.ts'
import { CopyText } from '../copy/copy-text.tsx'
import { useQuotaText } from '../display/quota.tsx'
import { ScreenParts } from '../parts/screen-parts.tsx'
import classes from './guide.module.css'
import { GuideContent } from './guide-content.tsx'
import { useGuideMessages } from './guide-messages.ts'

/** The ways to a balance that this site offers, and whom to ask where there is none. */
export const GetBalance = ({ balance }: { balance: number }) => {
  const say = useGuideMessages()
  const quotaText = useQuotaText()
  const user = useSession()
  const { top_up_link: shop } = useStatus()
  const { data: info } = useEndpoint(calls.getTopUpInfo)
  const online = info?.online === true
  return (
    <GuideContent title={say('balance')}>
      <p>{say('noBalance', { balance: quotaText(balance) })}</p>
      {info && !online && !shop && (
        <div>
          <p className="muted">{say('askOperator')}</p>
          <CopyText text={`${user?.username ?? ''} (#${user?.id ?? 0})`} name={say('account')} />
        </div>
      )}
      <div className={classes.row}>
        {online && (
          <Button component={Link} to="/topup" variant="filled">
            {say('topUp')}
          </Button>
        )}
        <ScreenParts place="ways to a balance" />
      </div>
    </GuideContent>
  )
}
