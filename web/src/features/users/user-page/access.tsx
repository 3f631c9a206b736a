import { Skeleton } from '@mantine/core'
import { TokenList } from '../../../components/access-tokens/token-list.tsx'
import { ErrorState } from '../../../components/states.tsx'
import { calls, type User } from '../../../lib/api/contract.ts'
import { useAction, useEndpoint } from '../../../lib/query.ts'
import { useUserPageMessages } from './messages.ts'
import classes from './user-page.module.css'

const aboutTokens = [calls.listUserAccessTokens, calls.listAudit] as const

/** The user's named access tokens; each can be revoked. */
export const Access = ({ user }: { user: User }) => {
  const say = useUserPageMessages()
  const list = useEndpoint(calls.listUserAccessTokens, { params: { id: user.id } }, { staleTimeMs: 0 })
  const revoke = useAction(calls.revokeUserAccessToken, {
    done: say('accessRevoked'),
    refresh: aboutTokens,
    refreshAfterFailure: aboutTokens,
  })
  if (list.data === undefined && list.error)
    return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (list.data === undefined) return <Skeleton h={120} />
  return (
    <section className={`panel ${classes.access}`} aria-label={say('access')}>
      <p className="muted">{say('accessText')}</p>
      <TokenList
        tokens={list.data}
        isOwn={false}
        revoke={(token) => revoke.submit({ params: { id: user.id, token: token.id } })}
      />
    </section>
  )
}
