import { Popover } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Quota } from '../../components/quota.tsx'
import { ErrorState } from '../../components/states.tsx'
import { calls } from '../../lib/contract.ts'
import { formatCompact } from '../../lib/format.ts'
import { useEndpoint } from '../../lib/query.ts'
import classes from './logs.module.css'
import { useLogWords } from './messages.ts'

const Facts = ({ id }: { id: number }) => {
  const say = useLogWords()
  const { data: user, error, refetch } = useEndpoint(calls.getUser, { params: { id } })
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  return (
    <>
      <strong className="strong">{say('userInfo')}</strong>
      <dl className={classes.facts} aria-busy={user === undefined}>
        <dt>{say('username')}</dt>
        <dd>{user?.username ?? say('none')}</dd>
        <dt>{say('balance')}</dt>
        <dd>{user ? <Quota value={user.quota} /> : say('none')}</dd>
        <dt>{say('used')}</dt>
        <dd>{user ? <Quota value={user.used_quota} /> : say('none')}</dd>
        <dt>{say('requests')}</dt>
        <dd className="num">{user ? formatCompact(user.request_count) : say('none')}</dd>
      </dl>
      <Link to="/user/$id" params={{ id: String(id) }}>
        {say('manageUser')}
      </Link>
    </>
  )
}

/** A user's name that tells more when pressed: balance, used quota, requests. For admins. */
export const UserCard = ({ id, name }: { id: number; name: string }) => {
  const say = useLogWords()
  const [opened, setOpened] = useState(false)
  if (id <= 0) return <span>{name}</span>
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" trapFocus returnFocus width={240}>
      <Popover.Target>
        <button
          type="button"
          className="text-button"
          aria-expanded={opened}
          aria-label={say('showUser', { name })}
          onClick={() => setOpened(!opened)}
        >
          {name}
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-label={say('userInfo')}>{opened && <Facts id={id} />}</Popover.Dropdown>
    </Popover>
  )
}
