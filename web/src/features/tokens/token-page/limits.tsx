import { ownMember } from '@tollgate/contract/own-member'
import type { ReactNode } from 'react'
import { GroupTag } from '../../../components/display/group-tag.tsx'
import { Meter } from '../../../components/display/meter.tsx'
import { useQuotaText } from '../../../components/display/quota.tsx'
import { useMomentText } from '../../../components/display/time/time-text.tsx'
import { UsagePanel } from '../../../components/usage/panel.tsx'
import { calls, neverExpires, type Token, tokenStatus } from '../../../lib/api/contract.ts'
import { useLanguage } from '../../../lib/i18n.ts'
import { useEndpoint } from '../../../lib/query.ts'
import { formatRelative } from '../../../lib/text/format.ts'
import { TokenStatusBadge } from '../status.tsx'
import { usedShare } from '../usage-cells.tsx'
import { useTokenPageMessages } from './messages.ts'
import classes from './token-page.module.css'

const mostNamed = 6

interface LimitProps {
  name: string
  value: ReactNode
  note?: ReactNode
  /** Share that is used, of 1. */
  used?: number | undefined
  /** Calls stop here now. */
  stops?: boolean
}

const Limit = ({ name, value, note, used, stops = false }: LimitProps) => (
  <li className={classes.limit} data-stops={stops || undefined}>
    <div>
      <span className="strong">{name}</span>
      <span className={classes.limitValue}>{value}</span>
    </div>
    {(note !== undefined || used !== undefined) && (
      <div>
        {used !== undefined && <Meter used={used} />}
        <span className={classes.limitNote}>{note}</span>
      </div>
    )}
  </li>
)

const listed = (text: string, split: RegExp): readonly string[] =>
  text
    .split(split)
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** Everything that decides whether a call with the key is let through, in the order in which it is checked. */
export const Limits = ({ token, isOwn }: { token: Token; isOwn: boolean }) => {
  const say = useTokenPageMessages()
  const quotaText = useQuotaText()
  const momentText = useMomentText()
  const language = useLanguage()
  const { data: groups } = useEndpoint(calls.getOwnGroups, {}, { enabled: isOwn })
  const { data: self } = useEndpoint(calls.getSelf, {}, { enabled: isOwn })
  const now = Date.now() / 1000
  const isOn = token.status === tokenStatus.enabled
  const isOver = token.expired_time !== neverExpires && token.expired_time <= now
  const addresses = listed(token.allow_ips, /\s+/)
  const models = token.model_limits_enabled ? listed(token.model_limits, /,/) : []
  const named = (values: readonly string[]): string =>
    values.length > mostNamed ? `${values.slice(0, mostNamed).join(', ')} …` : values.join(', ')
  const group = token.group || self?.group || ''
  const ratio = groups && ownMember(groups, group)?.ratio
  const share = usedShare(token)
  return (
    <UsagePanel title={say('limitsTitle')} note={say('limitsText')}>
      <ul className={classes.limits}>
        <Limit
          name={say('state')}
          value={<TokenStatusBadge token={token} />}
          note={say(isOn ? 'stateOn' : 'stateOff')}
          stops={!isOn}
        />
        <Limit
          name={say('expires')}
          value={token.expired_time === neverExpires ? say('noExpiry') : momentText(token.expired_time, true)}
          {...(token.expired_time === neverExpires
            ? {}
            : {
                note: isOver
                  ? say('expired')
                  : say('expiresIn', { when: formatRelative(token.expired_time, now, language) }),
              })}
          stops={isOver}
        />
        <Limit
          name={say('addresses')}
          value={addresses.length === 0 ? say('anyAddress') : <span className="mono">{named(addresses)}</span>}
        />
        <Limit
          name={say('modelsAllowed')}
          value={models.length === 0 ? say('anyModel') : say('modelCount', { count: models.length })}
          {...(models.length === 0 ? {} : { note: <span className="mono">{named(models)}</span> })}
        />
        <Limit
          name={say('group')}
          value={<GroupTag name={group || say('ownerGroup')} />}
          {...(isOwn ? { note: ratio === undefined ? '—' : say('ratio', { ratio: String(ratio) }) } : {})}
        />
        <Limit
          name={say('budget')}
          value={token.unlimited_quota ? say('unlimited') : quotaText(token.remain_quota)}
          note={
            token.unlimited_quota
              ? say('spentOnly', { used: quotaText(token.used_quota) })
              : say('spentOf', {
                  used: quotaText(token.used_quota),
                  all: quotaText(token.used_quota + Math.max(0, token.remain_quota)),
                })
          }
          used={token.unlimited_quota ? undefined : share}
          stops={!token.unlimited_quota && token.remain_quota <= 0}
        />
        {isOwn && (
          <Limit
            name={say('balance')}
            value={self ? quotaText(self.quota) : '—'}
            note={say(self && self.quota <= 0 ? 'balanceLow' : 'balanceText')}
            stops={self !== undefined && self.quota <= 0}
          />
        )}
      </ul>
    </UsagePanel>
  )
}
