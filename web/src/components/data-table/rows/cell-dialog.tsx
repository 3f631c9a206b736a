import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useUiMessages } from '../../messages.ts'

/** The window around the values of a row. */
export const CellDialog = (props: { title: string; onClose: () => void; children: ReactNode }) => {
  const say = useUiMessages()
  return (
    <Modal
      opened
      onClose={props.onClose}
      closeButtonProps={{ 'aria-label': say('close') }}
      title={<strong className="strong">{props.title}</strong>}
    >
      {props.children}
    </Modal>
  )
}
