import { useState } from 'react'
import type { RowAction } from '../../components/data-table/columns/column.ts'
import { ConfirmAction } from '../../components/form/confirm-action.tsx'
import { calls, type User } from '../../lib/api/contract.ts'
import { useSession } from '../../lib/api/session.ts'
import { defineMessages } from '../../lib/i18n.ts'
import { useAction } from '../../lib/query.ts'
import { isCancelled } from './badges.tsx'
import { mayChange } from './manage.tsx'

const useResetMessages = defineMessages('reset-second-factor', {
  zh: {
    reset: '重置两步验证',
    title: '重置「{{name}}」的两步验证？',
    effect: '移除该用户的两步验证、恢复码和通行密钥，并退出其所有设备。请先确认对方身份，此操作无法撤销。',
    done: '两步验证已重置',
    denied: '无权管理同级或更高级别的用户',
  },
  en: {
    reset: 'Reset two-step verification',
    title: 'Reset two-step verification for “{{name}}”?',
    effect:
      'Removes two-step verification, recovery codes and passkeys, and signs them out everywhere. Verify their identity first. This can’t be undone.',
    done: 'Two-step verification reset',
    denied: 'You can’t manage users at your level or above',
  },
})

interface ResetDialogProps {
  /** The user whose reset waits for confirmation. */
  pendingUser: User | undefined
  confirm: () => Promise<unknown> | undefined
  close: () => void
}

interface ResetSecondFactor extends ResetDialogProps {
  actions: (user: User) => readonly RowAction[]
}

/** Resets the second factor of a user who lost the device. Render `<ResetSecondFactorDialog {...reset} />` once: it asks first. */
export const useResetSecondFactor = (): ResetSecondFactor => {
  const say = useResetMessages()
  const viewer = useSession()?.role ?? 0
  const [pendingUser, setPendingUser] = useState<User>()
  const reset = useAction(calls.resetSecondFactor, {
    done: say('done'),
    refresh: [calls.listUserSessions, calls.getUserOverview, calls.listAudit],
  })
  const actions = (user: User): readonly RowAction[] =>
    isCancelled(user)
      ? []
      : [
          {
            label: say('reset'),
            icon: 'key',
            changes: true,
            onClick: () => setPendingUser(user),
            ...(mayChange(viewer, user) ? {} : { disabled: true, hint: say('denied') }),
          },
        ]
  return {
    actions,
    pendingUser,
    confirm: () => pendingUser && reset.submit({ params: { id: pendingUser.id } }),
    close: () => setPendingUser(undefined),
  }
}

/** Asks before a second factor is reset. */
export const ResetSecondFactorDialog = ({ pendingUser, confirm, close }: ResetDialogProps) => {
  const say = useResetMessages()
  return (
    <ConfirmAction
      opened={pendingUser !== undefined}
      onClose={close}
      title={say('title', { name: pendingUser?.username ?? '' })}
      effect={say('effect')}
      confirmLabel={say('reset')}
      onConfirm={confirm}
      danger
    />
  )
}
