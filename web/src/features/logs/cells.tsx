import { Hint } from '../../components/display/hint.tsx'
import { Icon } from '../../components/display/icon.tsx'
import { CallQuota } from '../../components/display/quota.tsx'
import { Logo } from '../../components/logo/logo.tsx'
import type { LogEntry } from '../../lib/api/contract.ts'
import { formatInteger, formatPercent } from '../../lib/text/format.ts'
import classes from './logs.module.css'
import type { SayLog } from './messages.ts'
import { cachedShare, cachedTokens, isRequest, otherOf } from './other.ts'
import { keyName } from './result.ts'

/** The model that was asked for; a mark where another one answered. */
export const Model = ({ log, say }: { log: LogEntry; say: SayLog }) => {
  const { is_model_mapped: mapped, upstream_model_name: actual } = otherOf(log)
  const logo = log.model_name === '' ? null : <Logo of={{ model: log.model_name }} name={log.model_name} />
  if (!mapped || !actual)
    return (
      <span className={classes.model}>
        {logo}
        {log.model_name === '' ? <span className="faint">—</span> : <span className="mono">{log.model_name}</span>}
      </span>
    )
  const hint = say('mapped', { asked: log.model_name, actual })
  return (
    <Hint label={hint} multiline maw={320}>
      <span className={classes.model}>
        {logo}
        <span className="mono">{log.model_name}</span>
        <Icon name="refresh" size={11} />
        <span className="visually-hidden">{hint}</span>
      </span>
    </Hint>
  )
}

/** The key of a call with its owner for administrators; of other entries the user. */
export const Key = ({ log, say, isAdmin }: { log: LogEntry; say: SayLog; isAdmin: boolean }) => (
  <>
    <span className="strong">{isRequest(log) ? keyName(log, say) : log.username}</span>
    {isAdmin && isRequest(log) && <span className={classes.owner}>{log.place?.organisation.name ?? log.username}</span>}
  </>
)

/** How much of the input came from a cache, as a bar and in percent. */
export const CacheShare = ({ log }: { log: LogEntry }) => {
  const share = cachedShare(log)
  if (share === undefined) return <span className="faint">—</span>
  return (
    <Hint label={formatInteger(cachedTokens(log))}>
      <span className={`num ${classes.cache}`}>
        <svg viewBox="0 0 26 4" width="26" height="4" aria-hidden="true">
          <rect width="26" height="4" rx="2" className={classes.cacheRest} />
          <rect width={26 * share} height="4" rx="2" className={classes.cacheRead} />
        </svg>
        <span>{formatPercent(share, 0)}</span>
      </span>
    </Hint>
  )
}

/** Charge of a call, marked if it is provisional. */
export const Charge = ({ log, say }: { log: LogEntry; say: SayLog }) => {
  const amount = (
    <span className="strong">
      <CallQuota value={log.quota} />
    </span>
  )
  if (log.provisional !== true) return amount
  return (
    <span className={classes.provisional}>
      <Hint label={say('provisionalHint')} multiline maw={320}>
        <span>
          <Icon name="history" size={11} />
          <span className="visually-hidden">{say('provisional')}</span>
        </span>
      </Hint>
      {amount}
    </span>
  )
}

/** The channel's name; its number where it has been deleted. */
export const channelName = (log: LogEntry): string => log.channel_name || (log.channel > 0 ? `#${log.channel}` : '')

/** The group of a call; empty where none is known. */
export const groupOf = (log: LogEntry): string => {
  const { group } = otherOf(log)
  return log.group || (typeof group === 'string' ? group : '')
}

/** A number of tokens; nothing for entries that are no calls. */
export const tokens = (log: LogEntry, value: number): string => (isRequest(log) ? formatInteger(value) : '')
