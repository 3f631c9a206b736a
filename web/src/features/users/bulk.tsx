import { useState } from 'react'
import { type Chosen, forChosen } from '../../components/batch/chosen.ts'
import { useBatchMessages } from '../../components/batch/messages.ts'
import { type Batch, BatchDialogs, useBatch } from '../../components/batch/use-batch.tsx'
import type { BulkAction } from '../../components/data-table/columns/column.ts'
import { ConfirmAction } from '../../components/form/confirm-action.tsx'
import { call } from '../../lib/api/api.ts'
import { type BodyInputOf, type batchUsers, calls, type User } from '../../lib/api/contract.ts'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import { useAction, useEndpoint } from '../../lib/query.ts'
import { runAll } from '../../lib/run-all.ts'
import { useUserMessages } from './messages.ts'
import { useTakeUser } from './take-user.ts'

const GroupDialog = onDemand(async () => (await import('../../components/batch/group-dialog.tsx')).GroupDialog)

type Act = BodyInputOf<typeof batchUsers>['act']

interface BulkManage {
  actions: readonly BulkAction<User>[]
  /** The users whose disabling waits for confirmation. */
  disabling: { readonly count: number; readonly act: () => Promise<void> } | undefined
  /** The question about the chosen users that is open. */
  pending: { readonly what: 'group' | 'cancel'; readonly chosen: Chosen } | undefined
  close: () => void
  batch: Batch<Act>
}

/**
 * Actions on the selected users, or on all that match; reports refusals with their reasons. Render
 * `<BulkManageDialogs {...bulk} />` once.
 */
export const useBulkManage = (): BulkManage => {
  const say = useUserMessages()
  const takeUser = useTakeUser()
  const [disabling, setDisabling] = useState<BulkManage['disabling']>()
  const [pending, setPending] = useState<BulkManage['pending']>()
  const batch = useBatch((which, act: Act) => call(calls.batchUsers, { body: { which, act } }), [calls.searchUsers])
  const disableMatching = (chosen: Chosen): void =>
    setDisabling({
      count: chosen.count,
      // The question closes; progress and failures have a dialog of their own.
      act: async () => void batch.run(chosen, { kind: 'disable' }),
    })

  const manageAll = async (users: readonly User[], action: 'enable' | 'disable'): Promise<number> => {
    const { done, failed } = await runAll(users, async ({ id }) =>
      takeUser(await call(calls.manageUser, { body: { id, action } })),
    )
    const reasons = failed.map(({ item, reason }) => `${item.username}: ${reason}`).join('\n')
    if (failed.length > 0) throw new Error(say('failedMany', { done: done.length, failed: failed.length, reasons }))
    return done.length
  }
  const manage = useAction(manageAll, { done: (count) => say('doneMany', { count }) })
  const actions: readonly BulkAction<User>[] = [
    {
      label: say('enableSelected'),
      icon: 'check',
      ...forChosen((chosen) => void batch.run(chosen, { kind: 'enable' })),
      onClick: (users, clear) => void manage.run(users, 'enable').then(clear),
    },
    {
      label: say('disableSelected'),
      icon: 'stop',
      danger: true,
      ...forChosen(disableMatching),
      onClick: (users, clear) =>
        setDisabling({ count: users.length, act: () => manage.run(users, 'disable').then(clear) }),
    },
    { label: say('setGroup'), ...forChosen((chosen) => setPending({ what: 'group', chosen })) },
    {
      label: say('cancelSelected'),
      icon: 'trash',
      danger: true,
      ...forChosen((chosen) => setPending({ what: 'cancel', chosen })),
    },
  ]
  const close = (): void => {
    setDisabling(undefined)
    setPending(undefined)
  }
  return { actions, disabling, pending, close, batch }
}

/** The questions before many users are changed, and the progress of the change. */
export const BulkManageDialogs = ({ disabling, pending, close, batch }: Omit<BulkManage, 'actions'>) => {
  const say = useUserMessages()
  const sayBatch = useBatchMessages()
  const { data: groups } = useEndpoint(calls.listGroups, {}, { enabled: pending?.what === 'group' })
  const count = pending?.chosen.count ?? 0
  return (
    <>
      <ConfirmAction
        opened={disabling !== undefined}
        onClose={close}
        title={say('disableManyTitle', { count: disabling?.count ?? 0 })}
        effect={say('disableEffect')}
        confirmLabel={say('disableConfirm')}
        onConfirm={() => disabling?.act()}
        danger
      />
      {pending?.what === 'group' && (
        <GroupDialog
          chosen={pending.chosen}
          groups={groups ?? []}
          onClose={close}
          onApply={(group) => {
            close()
            void batch.run(pending.chosen, { kind: 'group', group })
          }}
        />
      )}
      <ConfirmAction
        opened={pending?.what === 'cancel'}
        onClose={close}
        title={say('cancelManyTitle', { count })}
        effect={say('cancelManyEffect')}
        confirmLabel={say('cancelConfirm')}
        typeToConfirm={String(count)}
        typeLabel={sayBatch('typeLabel', { count })}
        onConfirm={() => void (pending && batch.run(pending.chosen, { kind: 'delete' }))}
        danger
      />
      <BatchDialogs {...batch} />
    </>
  )
}
