import type { Chosen } from '../../../components/batch/chosen.ts'
import { useBatchMessages } from '../../../components/batch/messages.ts'
import { ConfirmAction } from '../../../components/form/confirm-action.tsx'
import { call } from '../../../lib/api/api.ts'
import { type Channel, calls } from '../../../lib/api/contract.ts'
import { useAction } from '../../../lib/query.ts'
import { useChangeMessages } from '../../../lib/status-change.ts'
import { useRemoveMessages } from './remove-messages.ts'

/** The action that waits for confirmation. */
export type Removal =
  | { kind: 'rows'; rows: readonly Channel[]; clear: () => void }
  | { kind: 'disabled'; count: number }
  | { kind: 'copy'; channel: Channel }

const lists = [calls.browseChannels, calls.searchChannels] as const
const reading = { refresh: lists, refreshAfterFailure: lists }

/** Deletes the channels and resolves to their number. */
const removeRows = async (rows: readonly Channel[], clear: () => void): Promise<number> => {
  const [first] = rows
  const isOne = rows.length === 1 && first !== undefined
  const count = isOne ? 1 : await call(calls.deleteChannels, { body: { ids: rows.map(({ id }) => id) } })
  if (isOne) await call(calls.deleteChannel, { params: { id: first.id } })
  clear()
  return count
}

/** Names the channels and the consequences, and runs the action once confirmed. */
export const RemoveDialog = ({ removal, onClose }: { removal: Removal; onClose: () => void }) => {
  const say = useRemoveMessages()

  const sayChange = useChangeMessages()
  const remove = useAction(removeRows, {
    ...reading,
    done: (count, [only]) =>
      count === 1 && only ? sayChange('removed', { name: only.name }) : say('deletedMany', { count }),
  })
  const removeDisabled = useAction(calls.deleteDisabledChannels, {
    ...reading,
    done: (count) => say('deletedMany', { count }),
  })
  const copy = useAction(calls.copyChannel, { ...reading, done: say('copied') })

  const common = { opened: true, onClose }
  if (removal.kind === 'copy') {
    const { channel } = removal
    return (
      <ConfirmAction
        {...common}
        title={say('copyTitle', { name: channel.name })}
        effect={say('copyEffect')}
        confirmLabel={say('copyConfirm')}
        onConfirm={() => copy.submit({ params: { id: channel.id } })}
      />
    )
  }
  if (removal.kind === 'disabled') {
    const { count } = removal
    return (
      <ConfirmAction
        {...common}
        danger
        title={say('deleteDisabledTitle', { count })}
        effect={say('deleteDisabledEffect')}
        confirmLabel={say('deleteDisabledConfirm', { count })}
        typeToConfirm={String(count)}
        typeLabel={say('deleteDisabledType', { count })}
        onConfirm={() => removeDisabled.submit()}
      />
    )
  }
  const { rows, clear } = removal
  const name = rows[0]?.name ?? ''
  return (
    <ConfirmAction
      {...common}
      danger
      title={rows.length === 1 ? say('deleteTitle', { name }) : say('deleteManyTitle', { count: rows.length })}
      effect={say('deleteEffect')}
      confirmLabel={say('deleteConfirm')}
      onConfirm={() => remove.submit(rows, clear)}
    />
  )
}

interface RemoveChosenProps {
  chosen: Chosen
  onClose: () => void
  onConfirm: () => void
}

/** Asks before all that was chosen is deleted, however many they are. */
export const RemoveChosen = ({ chosen: { count }, onClose, onConfirm }: RemoveChosenProps) => {
  const say = useRemoveMessages()
  const sayBatch = useBatchMessages()
  return (
    <ConfirmAction
      opened
      onClose={onClose}
      danger
      title={say('deleteManyTitle', { count })}
      effect={say('deleteEffect')}
      confirmLabel={say('deleteConfirm')}
      typeToConfirm={String(count)}
      typeLabel={sayBatch('typeLabel', { count })}
      onConfirm={onConfirm}
    />
  )
}
