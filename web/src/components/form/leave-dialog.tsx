import { Button, Group, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useUiMessages } from '../messages.ts'

export interface LeaveDialogProps {
  opened: boolean
  title?: string | undefined
  /** The edits that would be lost, where the title does not name them. */
  text?: ReactNode
  onStay: () => void
  onLeave: () => void
}

/** Asks before edits are lost. */
export const LeaveDialog = ({ opened, title, text, onStay, onLeave }: LeaveDialogProps) => {
  const say = useUiMessages()
  return (
    <Modal
      opened={opened}
      onClose={onStay}
      withCloseButton={false}
      title={<strong className="strong">{title ?? say('unsaved')}</strong>}
    >
      {text !== undefined && <p className="muted">{text}</p>}
      <Group justify="flex-end" mt="md" gap={8}>
        <Button onClick={onStay} data-autofocus>
          {say('keepEditing')}
        </Button>
        <Button variant="filled" color="bad" onClick={onLeave}>
          {say('discard')}
        </Button>
      </Group>
    </Modal>
  )
}
