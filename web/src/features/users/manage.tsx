import { useState } from 'react'
import { ConfirmAction } from '../../components/confirm-action.tsx'
import type { RowAction } from '../../components/data-table/column.ts'
import { call } from '../../lib/api.ts'
import { calls, role, type User, userStatus } from '../../lib/contract.ts'
import { notifyDone, notifyFailure } from '../../lib/notify.tsx'
import { useRefresh } from '../../lib/query.ts'
import { isCancelled } from './badges.tsx'
import { useUserWords } from './messages.ts'

type Asked = 'promote' | 'demote' | 'disable' | 'cancel'

const actionOf = { promote: 'promote', demote: 'demote', disable: 'disable', cancel: 'delete' } as const

/** What may be done with a user, and the dialog that asks first. Render `dialog` once. */
export const useManageUser = (): { actions: (user: User) => readonly RowAction[]; dialog: React.ReactNode } => {
  const say = useUserWords()
  const refresh = useRefresh()
  const [asked, setAsked] = useState<{ user: User; act: Asked }>()

  const manage = async (user: User, action: string): Promise<void> => {
    try {
      await call(calls.manageUser, { body: { id: user.id, action } })
      notifyDone(say('done'))
    } catch (error) {
      notifyFailure(error)
      throw error
    } finally {
      await refresh(calls.searchUsers, calls.getUser)
    }
  }
  const ask = (user: User, act: Asked) => () => setAsked({ user, act })
  const actions = (user: User): readonly RowAction[] => {
    if (isCancelled(user)) return []
    const enable: RowAction = {
      label: say('enable'),
      icon: 'check',
      onClick: () => void manage(user, 'enable').catch(() => undefined),
      ...(user.status === userStatus.retired ? { disabled: true, hint: say('cannotEnable') } : {}),
    }
    return [
      { label: say('promote'), icon: 'up', onClick: ask(user, 'promote'), disabled: user.role >= role.admin },
      { label: say('demote'), icon: 'down', onClick: ask(user, 'demote'), disabled: user.role !== role.admin },
      user.status === userStatus.enabled
        ? { label: say('disable'), icon: 'stop', onClick: ask(user, 'disable'), disabled: user.role >= role.root }
        : enable,
      {
        label: say('cancel'),
        icon: 'trash',
        danger: true,
        onClick: ask(user, 'cancel'),
        disabled: user.role >= role.root,
      },
    ]
  }
  const name = asked?.user.username ?? ''
  const act = asked?.act ?? 'promote'
  const dialog = (
    <ConfirmAction
      key={asked?.user.id}
      opened={asked !== undefined}
      onClose={() => setAsked(undefined)}
      title={say(`${act}Title`, { name })}
      effect={say(`${act}Effect`, { name })}
      confirmLabel={say(`${act}Confirm`)}
      onConfirm={() => asked && manage(asked.user, actionOf[asked.act])}
      danger={act === 'cancel' || act === 'disable'}
      {...(act === 'cancel' ? { typeToConfirm: name, typeLabel: say('cancelType', { name }) } : {})}
    />
  )
  return { actions, dialog }
}
