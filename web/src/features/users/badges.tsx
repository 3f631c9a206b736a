import { StatusBadge, type Tone } from '../../components/display/status-badge.tsx'
import { usePermissionMessages } from '../../components/permissions/messages.ts'
import { role, type User, userStatus } from '../../lib/api/contract.ts'
import { type SayUser, useUserMessages } from './messages.ts'
import classes from './users.module.css'

export const isCancelled = (user: User): boolean => user.DeletedAt !== null

export const roleWord = (user: User, say: SayUser): string => {
  if (user.organisation_id !== undefined) return say('organisation')
  if (user.role === role.root) return say('role100')
  if (user.role === role.admin) return say('role10')
  return say(user.role === role.user ? 'role1' : 'roleUnknown')
}

const roleTones: Readonly<Record<number, Tone>> = { [role.user]: 'neutral', [role.admin]: 'info', [role.root]: 'info' }

export const RoleBadge = ({ user }: { user: User }) => {
  const say = useUserMessages()
  const sayPermission = usePermissionMessages()
  const set = user.role === role.admin ? user.permissions?.set : undefined
  return (
    <>
      <StatusBadge tone={roleTones[user.role] ?? 'bad'} label={roleWord(user, say)} />
      {set && <span className={`faint ${classes.set}`}> {sayPermission(`set_${set}`)}</span>}
    </>
  )
}

export const statusWord = (user: User, say: SayUser): string => {
  if (isCancelled(user)) return say('cancelled')
  if (user.status === userStatus.enabled) return say('status1')
  if (user.status === userStatus.disabled) return say('status2')
  return say(user.status === userStatus.retired ? 'status3' : 'statusUnknown')
}

export const UserStatusBadge = ({ user }: { user: User }) => {
  const say = useUserMessages()
  const tone: Tone = isCancelled(user)
    ? 'bad'
    : user.status === userStatus.enabled
      ? 'good'
      : user.status === userStatus.disabled
        ? 'bad'
        : 'neutral'
  return <StatusBadge tone={tone} label={statusWord(user, say)} />
}
