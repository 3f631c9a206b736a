import { Button, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { TokenList } from '../../../components/access-tokens/token-list.tsx'
import { CopyText } from '../../../components/copy/copy-text.tsx'
import { Section } from '../../../components/panel-section.tsx'
import { ErrorState } from '../../../components/states.tsx'
import { calls } from '../../../lib/api/contract.ts'
import { onDemand } from '../../../lib/loading/on-demand.tsx'
import { useAction, useEndpoint } from '../../../lib/query.ts'
import classes from '../personal.module.css'
import { useNamedTokenMessages } from './messages.ts'
import { SystemToken } from './system-token.tsx'

const MakeToken = onDemand(async () => (await import('./make-token.tsx')).MakeToken)

const NamedTokens = () => {
  const say = useNamedTokenMessages()
  const [making, setMaking] = useState(false)
  const [made, setMade] = useState<{ name: string; token: string }>()
  const list = useEndpoint(calls.listAccessTokens)
  const revoke = useAction(calls.revokeAccessToken, { refresh: [calls.listAccessTokens], done: say('revoked') })
  return (
    <Section id="named-tokens" title={say('title')}>
      <p className="muted">{say('text')}</p>
      {made && (
        <div className={classes.token} role="status">
          <CopyText text={made.token} name={made.name} secret />
          <p>{say('shownOnce', { name: made.name })}</p>
        </div>
      )}
      {list.data === undefined && list.error ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : list.data === undefined ? (
        <Skeleton h={64} mb={12} />
      ) : (
        <TokenList tokens={list.data} isOwn revoke={({ id }) => revoke.submit({ params: { id } })} />
      )}
      <Button onClick={() => setMaking(true)}>{say('make')}</Button>
      {making && <MakeToken onClose={() => setMaking(false)} onMade={setMade} />}
    </Section>
  )
}

/** Tokens for the console's API: named ones, and the one system access token. */
export const AccessTokens = () => (
  <>
    <NamedTokens />
    <SystemToken />
  </>
)
