import { useState } from 'react'
import type { Chosen } from '../../components/batch/chosen.ts'
import { useBatchMessages } from '../../components/batch/messages.ts'
import { BatchDialogs, type BatchRun, useBatch } from '../../components/batch/use-batch.tsx'
import { ConfirmAction } from '../../components/form/confirm-action.tsx'
import { call } from '../../lib/api/api.ts'
import { type BodyInputOf, type batchTokens, calls } from '../../lib/api/contract.ts'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import { useEndpoint } from '../../lib/query.ts'
import { useTokenMessages } from './messages.ts'

const GroupDialog = onDemand(async () => (await import('../../components/batch/group-dialog.tsx')).GroupDialog)

/** Loads the result texts with the first action. */
const loadTexts = async () => (await import('./batch-texts.ts')).tokenBatchTexts

type Act = BodyInputOf<typeof batchTokens>['act']

interface MatchingTokens {
  setStatus: (chosen: Chosen, status: 1 | 2) => Promise<void>
  /** Asks for the group first. */
  setGroup: (chosen: Chosen) => void
  /** Asks first; for all that match the filters also for their number. */
  remove: (chosen: Chosen) => void
  /** The question that is open. */
  pending: { readonly what: 'group' | 'delete'; readonly chosen: Chosen } | undefined
  close: () => void
  batch: BatchRun<Act>
}

/**
 * Actions on all keys that match the filters, or on the selected ones. Render `<MatchingTokensDialogs {...matching} />` once.
 */
export const useMatchingTokens = (): MatchingTokens => {
  const [pending, setPending] = useState<MatchingTokens['pending']>()
  const batch = useBatch(
    (which, act: Act) => call(calls.batchTokens, { body: { which, act } }),
    [calls.browseTokens],
    loadTexts,
  )
  return {
    setStatus: (chosen, status) => batch.run(chosen, { kind: 'status', status }),
    setGroup: (chosen) => setPending({ what: 'group', chosen }),
    remove: (chosen) => setPending({ what: 'delete', chosen }),
    pending,
    close: () => setPending(undefined),
    batch,
  }
}

/** The questions before many keys are changed, and the progress of the change. */
export const MatchingTokensDialogs = ({
  pending,
  close,
  batch,
}: Pick<MatchingTokens, 'pending' | 'close' | 'batch'>) => {
  const say = useTokenMessages()
  const sayBatch = useBatchMessages()
  const { data: groups } = useEndpoint(calls.getOwnGroups, {}, { enabled: pending?.what === 'group' })
  const { count, name, matching } = pending?.chosen ?? { count: 0, name: undefined, matching: false }
  return (
    <>
      {pending?.what === 'delete' && (
        <ConfirmAction
          opened
          onClose={close}
          title={name === undefined ? say('deleteManyTitle', { count }) : say('deleteTitle', { name })}
          effect={say('deleteEffect')}
          confirmLabel={say('deleteConfirm')}
          {...(matching ? { typeToConfirm: String(count), typeLabel: sayBatch('typeLabel', { count }) } : {})}
          onConfirm={() => void batch.run(pending.chosen, { kind: 'delete' })}
          danger
        />
      )}
      {pending?.what === 'group' && (
        <GroupDialog
          chosen={pending.chosen}
          groups={Object.keys(groups ?? {})}
          noneLabel={say('userGroup')}
          onClose={close}
          onApply={(group) => {
            close()
            void batch.run(pending.chosen, { kind: 'group', group })
          }}
        />
      )}
      <BatchDialogs {...batch} />
    </>
  )
}
