import type { Callable } from 'virtual:contract'
import { defineMessages } from './i18n.ts'
import { notifyDone, notifyOffer } from './notify.tsx'
import { useAction } from './query.ts'

/** Results of a change of one row, by its name. */
export const useChangeMessages = defineMessages('row-change', {
  zh: { enabled: '已启用“{{name}}”', disabled: '已禁用“{{name}}”', removed: '已删除“{{name}}”', undo: '撤销' },
  en: { enabled: '“{{name}}” enabled', disabled: '“{{name}}” disabled', removed: '“{{name}}” deleted', undo: 'Undo' },
})

/** Enabled and disabled, as channels, keys, users and codes all write them. */
export type SetStatus = 1 | 2

interface ChangedRow {
  readonly id: number
  readonly name: string
  /** The status before the change. */
  readonly status: number
}

export interface StatusChange {
  /** Shows a failure as a notification. */
  run: (row: ChangedRow, status: SetStatus) => Promise<void>
  /** For dialogs: rejects with the failure. */
  submit: (row: ChangedRow, status: SetStatus) => Promise<unknown>
}

/** True for a status that people set; others are set by the server alone. */
export const isSetStatus = (status: unknown): status is SetStatus => status === 1 || status === 2

/**
 * Enables or disables a row, says which by name, and offers to set it back. A status that the server alone sets (expired,
 * disabled automatically) cannot be set back, so nothing is offered then.
 */
export const useStatusChange = (
  set: (id: number, status: SetStatus) => Promise<unknown>,
  refresh: readonly Callable[] = [],
  refreshAfterFailure = refresh,
): StatusChange => {
  const say = useChangeMessages()
  const change = useAction(({ id }: ChangedRow, status: SetStatus) => set(id, status), {
    onDone: (_, row, status) => {
      const { status: before } = row
      const message = say(status === 1 ? 'enabled' : 'disabled', { name: row.name })
      if (before === status || !isSetStatus(before)) notifyDone(message)
      else notifyOffer(message, say('undo'), () => void change.run({ ...row, status }, before))
    },
    refresh,
    refreshAfterFailure,
  })
  return {
    run: async (row, status) => {
      await change.run(row, status)
    },
    submit: change.submit,
  }
}
