import { useState } from 'react'
import { type Chosen, forChosen } from '../../components/batch/chosen.ts'
import { useBatchMessages } from '../../components/batch/messages.ts'
import { BatchDialogs, type BatchRun, useBatch } from '../../components/batch/use-batch.tsx'
import type { BulkAction } from '../../components/data-table/columns/column.ts'
import { ConfirmAction } from '../../components/form/confirm-action.tsx'
import { call } from '../../lib/api/api.ts'
import { type BodyInputOf, type batchUsers, calls, type User } from '../../lib/api/contract.ts'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import { useEndpoint } from '../../lib/query.ts'
import { useUserMessages } from './messages.ts'

const GroupDialog = onDemand(async () => (await import('../../components/batch/group-dialog.tsx')).GroupDialog)

/** Loads the result texts with the first action. */
const loadTexts = async () => (await import('./batch-texts.ts')).userBatchTexts

const nameOf = ({ username }: User): string => username

type Act = BodyInputOf<typeof batchUsers>['act']

interface BulkManage {
  actions: readonly BulkAction<User>[]
  /** The question about the chosen users that is open. */
  pending: { readonly what: 'disable' | 'group' | 'cancel'; readonly chosen: Chosen } | undefined
  close: () => void
  batch: BatchRun<Act>
}

/**
 * Actions on the selected users, or on all that match; reports refusals with their reasons. Render
 * `<BulkManageDialogs {...bulk} />` once.
 */
export const useBulkManage = (): BulkManage => {
  const say = useUserMessages()
  const [pending, setPending] = useState<BulkManage['pending']>()
  const batch = useBatch(
    (which, act: Act) => call(calls.batchUsers, { body: { which, act } }),
    [calls.searchUsers],
    loadTexts,
  )
  const actions: readonly BulkAction<User>[] = [
    {
      label: say('enableSelected'),
      icon: 'check',
      ...forChosen((chosen) => void batch.run(chosen, { kind: 'enable' }), nameOf),
    },
    {
      label: say('disableSelected'),
      icon: 'stop',
      danger: true,
      ...forChosen((chosen) => setPending({ what: 'disable', chosen }), nameOf),
    },
    { label: say('setGroup'), ...forChosen((chosen) => setPending({ what: 'group', chosen }), nameOf) },
    {
      label: say('cancelSelected'),
      icon: 'trash',
      danger: true,
      ...forChosen((chosen) => setPending({ what: 'cancel', chosen }), nameOf),
    },
  ]
  return { actions, pending, close: () => setPending(undefined), batch }
}

/** The questions before many users are changed, and the progress of the change. */
export const BulkManageDialogs = ({ pending, close, batch }: Omit<BulkManage, 'actions'>) => {
  const say = useUserMessages()
  const sayBatch = useBatchMessages()
  const { data: groups } = useEndpoint(calls.listGroups, {}, { enabled: pending?.what === 'group' })
  const count = pending?.chosen.count ?? 0
  return (
    <>
      <ConfirmAction
        opened={pending?.what === 'disable'}
        onClose={close}
        title={say('disableManyTitle', { count })}
        effect={say('disableEffect')}
        confirmLabel={say('disableConfirm')}
        onConfirm={() => void (pending && batch.run(pending.chosen, { kind: 'disable' }))}
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
