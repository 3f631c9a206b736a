import { type ReactNode, useState } from 'react'
import { ConfirmAction } from '../../components/confirm-action.tsx'
import type { BulkAction } from '../../components/data-table/column.ts'
import { call } from '../../lib/api.ts'
import { calls, type User } from '../../lib/contract.ts'
import { notifyDone, notifyFailure } from '../../lib/notify.tsx'
import { runAll } from '../../lib/run-all.ts'
import { useUserWords } from './messages.ts'
import { useTakeUser } from './take-user.ts'

/** Enables or disables the selected users, and says which were refused and why. Render `dialog` once. */
export const useBulkManage = (): { actions: readonly BulkAction<User>[]; dialog: ReactNode } => {
  const say = useUserWords()
  const takeUser = useTakeUser()
  const [disabling, setDisabling] = useState<{ users: readonly User[]; clear: () => void }>()

  const manage = async (users: readonly User[], action: 'enable' | 'disable'): Promise<void> => {
    const outcome = await runAll(users, async ({ id }) =>
      takeUser(await call(calls.manageUser, { body: { id, action } })),
    )
    const { done, failed } = outcome
    if (failed.length === 0) return notifyDone(say('doneMany', { count: done.length }))
    const reasons = failed.map(({ item, reason }) => `${item.username}: ${reason}`).join('\n')
    notifyFailure(say('failedMany', { done: done.length, failed: failed.length, reasons }))
  }
  const actions: readonly BulkAction<User>[] = [
    {
      label: say('enableSelected'),
      icon: 'check',
      onClick: (users, clear) => void manage(users, 'enable').then(clear),
    },
    {
      label: say('disableSelected'),
      icon: 'stop',
      danger: true,
      onClick: (users, clear) => setDisabling({ users, clear }),
    },
  ]
  const dialog = (
    <ConfirmAction
      opened={disabling !== undefined}
      onClose={() => setDisabling(undefined)}
      title={say('disableManyTitle', { count: disabling?.users.length ?? 0 })}
      effect={say('disableEffect')}
      confirmLabel={say('disableConfirm')}
      onConfirm={async () => {
        await manage(disabling?.users ?? [], 'disable')
        disabling?.clear()
      }}
      danger
    />
  )
  return { actions, dialog }
}
