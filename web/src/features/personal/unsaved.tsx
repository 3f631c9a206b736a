import { Button, Group, Modal } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useUiWords } from '../../components/messages.ts'

/** Asks before edits of the form it stands in are lost, by leaving the page or closing the browser. */
export const UnsavedGuard = ({ dirty }: { dirty: boolean }) => {
  const say = useUiWords()
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => dirty && current.pathname !== next.pathname,
    enableBeforeUnload: () => dirty,
    withResolver: true,
  })
  const stay = (): void => blocker.reset?.()
  return (
    <Modal
      opened={blocker.status === 'blocked'}
      onClose={stay}
      withCloseButton={false}
      title={<strong className="strong">{say('unsaved')}</strong>}
    >
      <Group justify="flex-end" mt="md" gap={8}>
        <Button onClick={stay} data-autofocus>
          {say('keepEditing')}
        </Button>
        <Button variant="filled" color="bad" onClick={() => blocker.proceed?.()}>
          {say('discard')}
        </Button>
      </Group>
    </Modal>
  )
}
