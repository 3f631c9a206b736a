import type { Chosen } from '../../../components/batch/chosen.ts'
import { useBatchWords } from '../../../components/batch/messages.ts'
import { ConfirmAction } from '../../../components/form/confirm-action.tsx'
import { call } from '../../../lib/api/api.ts'
import { type Channel, calls } from '../../../lib/api/contract.ts'
import { notifyDone, notifyFailure } from '../../../lib/notify.tsx'
import { useRefresh } from '../../../lib/query.ts'
import { useRemoveWords } from './remove-messages.ts'

/** The action that waits for confirmation. */
export type Removal =
  | { kind: 'rows'; rows: readonly Channel[]; clear: () => void }
  | { kind: 'disabled'; count: number }
  | { kind: 'copy'; channel: Channel }

/** Names the channels and the consequences, and runs the action once confirmed. */
export const RemoveDialog = ({ removal, onClose }: { removal: Removal; onClose: () => void }) => {
  const say = useRemoveWords()
  const refresh = useRefresh()

  const attempt = async (act: () => Promise<string>): Promise<void> => {
    try {
      notifyDone(await act())
    } catch (error) {
      notifyFailure(error)
      throw error
    } finally {
      await refresh(calls.browseChannels, calls.searchChannels)
    }
  }
  const countRemoved = async (rows: readonly Channel[]): Promise<number> => {
    const [first] = rows
    if (rows.length !== 1 || !first) return call(calls.deleteChannels, { body: { ids: rows.map(({ id }) => id) } })
    await call(calls.deleteChannel, { params: { id: first.id } })
    return 1
  }
  const remove = (rows: readonly Channel[], clear: () => void) => () =>
    attempt(async () => {
      const count = await countRemoved(rows)
      clear()
      return say('deletedMany', { count })
    })
  const removeDisabled = () =>
    attempt(async () => say('deletedMany', { count: await call(calls.deleteDisabledChannels) }))
  const copy = (channel: Channel) => () =>
    attempt(async () => {
      await call(calls.copyChannel, { params: { id: channel.id } })
      return say('copied')
    })

  const common = { opened: true, onClose }
  if (removal.kind === 'copy') {
    const { channel } = removal
    return (
      <ConfirmAction
        {...common}
        title={say('copyTitle', { name: channel.name })}
        effect={say('copyEffect')}
        confirmLabel={say('copyConfirm')}
        onConfirm={copy(channel)}
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
        onConfirm={removeDisabled}
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
      onConfirm={remove(rows, clear)}
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
  const say = useRemoveWords()
  const sayBatch = useBatchWords()
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
