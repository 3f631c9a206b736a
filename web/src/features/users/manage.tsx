import { useState } from 'react'
import type { RowAction } from '../../components/data-table/columns/column.ts'
import { ConfirmAction } from '../../components/form/confirm-action.tsx'
import { call } from '../../lib/api/api.ts'
import { calls, role, type User, userStatus } from '../../lib/api/contract.ts'
import { useSession } from '../../lib/api/session.ts'
import { useAction } from '../../lib/query.ts'
import { useStatusChange } from '../../lib/status-change.ts'
import { aboutUsers } from './about-users.ts'
import { isCancelled } from './badges.tsx'
import { type SayUser, useUserMessages } from './messages.ts'
import { useTakeUser } from './take-user.ts'

type Act = 'promote' | 'demote' | 'disable' | 'enable' | 'cancel'
type ConfirmedAct = Exclude<Act, 'enable'>

const actionOf = {
  promote: 'promote',
  demote: 'demote',
  disable: 'disable',
  enable: 'enable',
  cancel: 'delete',
} as const satisfies Record<Act, string>

/** True if a user of role `viewer` may change the user at all. */
export const mayChange = (viewer: number, user: User): boolean => viewer >= role.root || viewer > user.role

/** Why an act is refused, in the server's words; undefined when it is not. */
export const refusalOf = (act: Act, user: User, viewer: number, say: SayUser): string | undefined => {
  if (!mayChange(viewer, user)) return say('higherLevel')
  if (act === 'promote' && viewer < role.root) return say('rootOnly')
  if (act === 'promote' && user.role >= role.admin) return say('alreadyAdmin')
  if (act === 'enable') return user.status === userStatus.retired ? say('cannotEnable') : undefined
  if (user.role >= role.root) return act === 'promote' ? undefined : say('rootProtected')
  return act === 'demote' && user.role === role.user ? say('alreadyUser') : undefined
}

const named = ({ id, username, status }: User) => ({ id, name: username, status })

const icons = { promote: 'up', demote: 'down', disable: 'stop', enable: 'check', cancel: 'trash' } as const

interface ManageUserDialogProps {
  /** The act that waits for confirmation. */
  pending: { readonly user: User; readonly act: ConfirmedAct } | undefined
  confirm: () => Promise<unknown> | undefined
  close: () => void
}

interface ManageUser extends ManageUserDialogProps {
  /** The allowed actions on a user. */
  actions: (user: User) => readonly RowAction[]
}

/** Actions on users. Render `<ManageUserDialog {...manage} />` once: it asks for confirmation. */
export const useManageUser = (): ManageUser => {
  const say = useUserMessages()
  const viewer = useSession()?.role ?? 0
  const takeUser = useTakeUser()
  const [pending, setPending] = useState<ManageUserDialogProps['pending']>()

  const send = async (id: number, act: Act): Promise<void> =>
    takeUser(await call(calls.manageUser, { body: { id, action: actionOf[act] } }))
  const manage = useAction(({ id }: User, act: Exclude<ConfirmedAct, 'disable'>) => send(id, act), {
    done: (_, { username }, act) => say(`${act}Done`, { name: username }),
    refreshAfterFailure: aboutUsers,
  })
  const status = useStatusChange(
    (id, next) => send(id, next === userStatus.enabled ? 'enable' : 'disable'),
    [],
    aboutUsers,
  )
  const confirm = (user: User, act: ConfirmedAct): Promise<unknown> =>
    act === 'disable' ? status.submit(named(user), userStatus.disabled) : manage.submit(user, act)
  const actions = (user: User): readonly RowAction[] => {
    if (isCancelled(user)) return []
    const toggle = user.status === userStatus.enabled ? 'disable' : 'enable'
    return (['promote', 'demote', toggle, 'cancel'] as const).map((act) => {
      const refusal = refusalOf(act, user, viewer, say)
      return {
        label: say(act),
        icon: icons[act],
        danger: act === 'cancel',
        changes: true,
        onClick: () =>
          act === 'enable' ? void status.run(named(user), userStatus.enabled) : setPending({ user, act }),
        ...(refusal === undefined ? {} : { disabled: true, hint: refusal }),
      }
    })
  }
  return {
    actions,
    pending,
    confirm: () => pending && confirm(pending.user, pending.act),
    close: () => setPending(undefined),
  }
}

/** Asks before a user is promoted, demoted, disabled or cancelled. */
export const ManageUserDialog = ({ pending, confirm, close }: ManageUserDialogProps) => {
  const say = useUserMessages()
  const name = pending?.user.username ?? ''
  const act = pending?.act ?? 'promote'
  return (
    <ConfirmAction
      key={pending?.user.id}
      opened={pending !== undefined}
      onClose={close}
      title={say(`${act}Title`, { name })}
      effect={say(`${act}Effect`, { name })}
      confirmLabel={say(`${act}Confirm`)}
      onConfirm={confirm}
      danger={act === 'cancel' || act === 'disable'}
      {...(act === 'cancel' ? { typeToConfirm: name, typeLabel: say('cancelType', { name }) } : {})}
    />
  )
}
