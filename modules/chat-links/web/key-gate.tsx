import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { EmptyState, ErrorState } from '#web/components/states.tsx'
import { calls, type Token, tokenStatus } from '#web/lib/api/contract.ts'
import { type SessionUser, useSession } from '#web/lib/api/session.ts'
import { onDemand } from '#web/lib/loading/on-demand.tsx'
import { notifyFailure } from '#web/lib/notify.tsx'
import { useEndpoint } from '#web/lib/query.ts'
import type { ChatLink } from '#web/lib/url/chat-links.ts'
import { useChatMessages } from './messages.ts'
import { forgetPermission, permitKey, permittedKey, siteOf } from './permission.ts'

const KeyQuestion = onDemand(async () => (await import('./key-question.tsx')).KeyQuestion)

/** Time that the message is shown before the keys page opens. */
const leaveAfterMs = 1500

const NoToken = () => {
  const say = useChatMessages()
  const navigate = useNavigate()
  // The clock that leads to the keys.
  useEffect(() => {
    notifyFailure(new Error(say('noToken')))
    const leaving = setTimeout(() => void navigate({ to: '/token' }), leaveAfterMs)
    return () => clearTimeout(leaving)
  }, [])
  return <EmptyState icon="key" title={say('noToken')} action={<Link to="/token">{say('toTokens')}</Link>} />
}

interface GateProps {
  link: ChatLink
  /** Draws the part that needs the whole key (with `sk-`). */
  children: (key: string, tokenName: string, change: () => void) => ReactNode
}

const WithKey = ({
  token,
  change,
  children,
}: {
  token: Token
  change: () => void
  children: GateProps['children']
}) => {
  const say = useChatMessages()
  const revealed = useEndpoint(calls.revealToken, { params: { id: token.id } }, { staleTimeMs: 600_000 })
  if (revealed.error) return <ErrorState error={revealed.error} onRetry={() => void revealed.refetch()} />
  if (!revealed.data) return <EmptyState title={say('busy')} />
  return children(`sk-${revealed.data.key}`, token.name, change)
}

const SignedInGate = ({ user, link, children }: GateProps & { user: SessionUser }) => {
  const say = useChatMessages()
  const { site } = siteOf(link.link)
  const [chosen, setChosen] = useState(permittedKey(user.id, site))
  const list = useEndpoint(calls.listTokens, { query: { p: 0, size: 100 } })
  if (list.error) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (!list.data) return <EmptyState title={say('busy')} />
  const enabled = list.data.filter((token) => token.status === tokenStatus.enabled)
  if (enabled.length === 0) return <NoToken />
  const token = enabled.find((entry) => entry.id === chosen)
  if (token) {
    const change = (): void => {
      forgetPermission(user.id, site)
      setChosen(undefined)
    }
    return (
      <WithKey token={token} change={change}>
        {children}
      </WithKey>
    )
  }
  return (
    <KeyQuestion
      link={link}
      tokens={enabled}
      onAnswer={(id, kept) => {
        if (kept) permitKey(user.id, site, id)
        setChosen(id)
      }}
    />
  )
}

/**
 * Guards a user's key against another site: the user must be signed in, have an enabled key, and agree once to give it
 * to that site. A link without a key placeholder needs nothing of this.
 */
export const KeyGate = ({ link, children }: GateProps) => {
  const say = useChatMessages()
  const user = useSession()
  const { href } = useLocation()
  if (!link.link.includes('{key}')) return children('', '', () => undefined)
  if (user)
    return (
      <SignedInGate user={user} link={link}>
        {children}
      </SignedInGate>
    )
  return (
    <EmptyState
      icon="key"
      title={say('login')}
      text={say('loginText')}
      action={
        <Link to="/login" search={{ next: href }}>
          {say('toLogin')}
        </Link>
      }
    />
  )
}
