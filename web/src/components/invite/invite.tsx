import { Button, Skeleton, TextInput } from '@mantine/core'
import { useState } from 'react'
import { calls, type User } from '../../lib/api/contract.ts'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import { useEndpoint } from '../../lib/query.ts'
import { useStatus } from '../../lib/status.ts'
import { formatInteger } from '../../lib/text/format.ts'
import { ownAddress } from '../../lib/url/page-paths.ts'
import { CopyDialog, useCopy } from '../copy/copy-text.tsx'
import { Icon } from '../display/icon.tsx'
import { Quota, useQuotaText } from '../display/quota.tsx'
import classes from './invite.module.css'
import { useInviteMessages } from './messages.ts'

const Transfer = onDemand(async () => (await import('./transfer.tsx')).Transfer)

const InviteLink = () => {
  const say = useInviteMessages()
  const { copy, byHand } = useCopy()
  const code = useEndpoint(calls.getAffCode)
  const link = code.data ? `${ownAddress()}/register?aff=${encodeURIComponent(code.data)}` : ''
  return (
    <div className={classes.link}>
      <TextInput
        label={say('link')}
        value={link}
        readOnly
        error={code.error?.message}
        classNames={{ input: 'mono' }}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button
        leftSection={<Icon name="copy" size={14} />}
        disabled={link === ''}
        aria-label={say('copy')}
        onClick={() => void copy(link, { done: say('copied') })}
      >
        {say('copy')}
      </Button>
      <CopyDialog {...byHand} />
    </div>
  )
}

const Earnings = ({ user }: { user: User }) => {
  const say = useInviteMessages()
  const { quota_per_unit: perUnit } = useStatus()
  const quotaText = useQuotaText()
  const [transferring, setTransferring] = useState(false)
  const enough = user.aff_quota >= perUnit
  return (
    <>
      <div className={classes.earnings}>
        <dl>
          <div>
            <dt>{say('pending')}</dt>
            <dd>
              <Quota value={user.aff_quota} />
            </dd>
          </div>
          <div>
            <dt>{say('total')}</dt>
            <dd>
              <Quota value={user.aff_history_quota} />
            </dd>
          </div>
          <div>
            <dt>{say('count')}</dt>
            <dd className="num">{formatInteger(user.aff_count)}</dd>
          </div>
        </dl>
        <Button disabled={!enough} onClick={() => setTransferring(true)}>
          {say('transfer')}
        </Button>
      </div>
      {!enough && <p className={classes.hint}>{say('notEnough', { amount: quotaText(perUnit) })}</p>}
      {transferring && <Transfer available={user.aff_quota} onClose={() => setTransferring(false)} />}
    </>
  )
}

/** The invite link and its earnings so far. */
export const Invite = ({ user }: { user: User | undefined }) => {
  const say = useInviteMessages()
  return (
    <section id="invite" className={`panel ${classes.section}`} aria-labelledby="invite-title">
      <h2 id="invite-title">{say('title')}</h2>
      {user ? <Earnings user={user} /> : <Skeleton h={64} />}
      <InviteLink />
      <p className={classes.hint}>{say('text')}</p>
    </section>
  )
}
