import { Link } from '@tanstack/react-router'
import { Facts } from '../../../components/display/facts.tsx'
import { Quota } from '../../../components/display/quota.tsx'
import { Popover } from '../../../components/menu/popover.tsx'
import { ErrorState } from '../../../components/states.tsx'
import { calls } from '../../../lib/api/contract.ts'
import { useEndpoint } from '../../../lib/query.ts'
import { formatCompact } from '../../../lib/text/format.ts'
import { useLogMessages } from '../messages.ts'

const UserFacts = ({ id }: { id: number }) => {
  const say = useLogMessages()
  const { data: user, error, refetch } = useEndpoint(calls.getUser, { params: { id } })
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  return (
    <>
      <strong className="strong">{say('userInfo')}</strong>
      <Facts
        busy={user === undefined}
        facts={[
          { label: say('username'), value: user?.username ?? say('none') },
          { label: say('balance'), value: user ? <Quota value={user.quota} /> : say('none') },
          { label: say('used'), value: user ? <Quota value={user.used_quota} /> : say('none') },
          {
            label: say('requests'),
            value: <span className="num">{user ? formatCompact(user.request_count) : say('none')}</span>,
          },
        ]}
      />
      <Link to="/user/$id" params={{ id: String(id) }}>
        {say('manageUser')}
      </Link>
    </>
  )
}

/** A user's name that opens a card when pressed: balance, used quota, requests. For admins. */
export const UserCard = ({ id, name }: { id: number; name: string }) => {
  const say = useLogMessages()
  if (id <= 0) return <span>{name}</span>
  return (
    <Popover
      width={240}
      label={say('userInfo')}
      button={(buttonProps) => (
        <button type="button" className="text-button" aria-label={say('showUser', { name })} {...buttonProps}>
          {name}
        </button>
      )}
    >
      {() => <UserFacts id={id} />}
    </Popover>
  )
}
