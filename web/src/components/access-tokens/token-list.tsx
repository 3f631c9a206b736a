import { Button } from '@mantine/core'
import { useState } from 'react'
import type { AccessToken } from '../../lib/api/contract.ts'
import { useReadOnly } from '../../lib/api/staff.ts'
import { StatusBadge } from '../display/status-badge.tsx'
import { TimeText } from '../display/time/time-text.tsx'
import { ConfirmAction } from '../form/confirm-action.tsx'
import { useUiMessages } from '../messages.ts'
import { usePermissionMessages } from '../permissions/messages.ts'
import classes from './access-tokens.module.css'
import { useAccessTokenMessages } from './messages.ts'

type Scope = AccessToken['scopes'][number]
type NamedArea = Scope extends infer S ? (S extends `${infer Area}:${string}` ? Area : never) : never

/** `users:write` as people read it. */
const useScopeText = (isOwn: boolean): ((scope: Scope) => string) => {
  const say = useAccessTokenMessages()
  const sayArea = usePermissionMessages()
  return (scope) => {
    if (scope === 'all') return say(isOwn ? 'all' : 'allOf')
    const [area, level] = scope.split(':') as [NamedArea, 'read' | 'write']
    const name = area.startsWith('own_')
      ? sayArea(area as Extract<NamedArea, `own_${string}`>)
      : sayArea(`area_${area as Exclude<NamedArea, `own_${string}`>}`)
    return `${name}: ${sayArea(level)}`
  }
}

interface RowProps {
  token: AccessToken
  isOwn: boolean
  onRevoke: (token: AccessToken) => void
}

const TokenRow = ({ token, isOwn, onRevoke }: RowProps) => {
  const say = useAccessTokenMessages()
  const sayUi = useUiMessages()
  const scopeText = useScopeText(isOwn)
  const isReadOnly = useReadOnly()
  const isExpired = token.expires_time > 0 && token.expires_time * 1000 <= Date.now()
  return (
    <li>
      <div className={classes.what}>
        <strong>{token.name}</strong>
        <span className={`mono ${classes.hint}`}>tgat_…{token.hint}</span>
        {isExpired && <StatusBadge tone="bad" label={say('expired')} />}
        <ul className={classes.scopes}>
          {token.scopes.map((scope) => (
            <li key={scope}>{scopeText(scope)}</li>
          ))}
        </ul>
        <p>
          {token.last_used_time === 0 ? (
            say('never')
          ) : (
            <>
              {say('used')} <TimeText at={token.last_used_time} relative />{' '}
              <span className="mono">{say('from', { ip: token.last_used_ip })}</span>
            </>
          )}
          {' · '}
          {token.expires_time === 0 ? (
            say('forever')
          ) : (
            <>
              {say('expires')} <TimeText at={token.expires_time} />
            </>
          )}
          {' · '}
          {say('created')} <TimeText at={token.created_time} />
        </p>
      </div>
      <Button
        aria-label={say('revokeNamed', { name: token.name })}
        onClick={() => onRevoke(token)}
        {...(isReadOnly ? { disabled: true, title: sayUi('readOnly') } : {})}
      >
        {say('revoke')}
      </Button>
    </li>
  )
}

interface TokenListProps {
  tokens: readonly AccessToken[]
  /** True if they belong to the viewer. */
  isOwn: boolean
  revoke: (token: AccessToken) => Promise<unknown>
}

/** Named access tokens with what they may, when they were used, and a way to end each. */
export const TokenList = ({ tokens, isOwn, revoke }: TokenListProps) => {
  const say = useAccessTokenMessages()
  const [asking, setAsking] = useState<AccessToken>()
  return (
    <>
      {tokens.length === 0 ? (
        <p className="muted">{say(isOwn ? 'empty' : 'emptyOf')}</p>
      ) : (
        <ul className={classes.rows}>
          {tokens.map((token) => (
            <TokenRow key={token.id} token={token} isOwn={isOwn} onRevoke={setAsking} />
          ))}
        </ul>
      )}
      <ConfirmAction
        opened={asking !== undefined}
        onClose={() => setAsking(undefined)}
        title={say('revokeTitle', { name: asking?.name ?? '' })}
        effect={say('revokeEffect')}
        confirmLabel={say('revoke')}
        onConfirm={() => asking && revoke(asking)}
        danger
      />
    </>
  )
}
