import { Button, Group, Modal } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useSettingWords } from './messages.ts'
import { tabOf } from './registry.ts'

/** Asks before unsaved edits are lost: by another tab, another page, or closing the browser. */
export const UnsavedGuard = ({ count, onDiscard }: { count: number; onDiscard: () => void }) => {
  const say = useSettingWords()
  const dirty = count > 0
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      dirty && (current.pathname !== next.pathname || tabOf(current.search) !== tabOf(next.search)),
    enableBeforeUnload: () => dirty,
    withResolver: true,
  })
  const stay = (): void => blocker.reset?.()
  const leave = (): void => {
    onDiscard()
    blocker.proceed?.()
  }
  return (
    <Modal
      opened={blocker.status === 'blocked'}
      onClose={stay}
      withCloseButton={false}
      title={<strong className="strong">{say('guardTitle')}</strong>}
    >
      <p className="muted">{say('guardText', { count })}</p>
      <Group justify="flex-end" mt="lg" gap={8}>
        <Button onClick={stay} data-autofocus>
          {say('keepEditing')}
        </Button>
        <Button variant="filled" color="bad" onClick={leave}>
          {say('discard')}
        </Button>
      </Group>
    </Modal>
  )
}
