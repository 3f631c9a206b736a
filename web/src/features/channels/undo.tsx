import { notifications } from '@mantine/notifications'

const undoMs = 10_000

/** Says what was changed and offers to take it back for ten seconds. */
export const notifyUndo = (message: string, undoLabel: string, undo: () => void): void => {
  const id = `undo:${message}`
  notifications.show({
    id,
    color: 'var(--good)',
    autoClose: undoMs,
    role: 'status',
    message: (
      <>
        <span className="notify-text">{message}</span>
        <button
          type="button"
          className="text-button"
          onClick={() => {
            notifications.hide(id)
            undo()
          }}
        >
          {undoLabel}
        </button>
      </>
    ),
  })
}
