import { Button, Group, Modal, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useReadOnly } from '../../lib/api/staff.ts'
import { useLazyOpened } from '../../lib/loading/on-demand.tsx'
import { useSubmit } from '../../lib/submit.ts'
import { useUiMessages } from '../messages.ts'
import classes from './confirm-dialog.module.css'
import { Failure } from './failure.tsx'

export interface ConfirmDialogProps {
  opened: boolean
  onClose: () => void
  /** Names the act and its object: 删除渠道「OpenAI 主线路」? */
  title: string
  /** The effect of the action, and whether it can be undone. */
  effect: ReactNode
  /** The act as a verb; never just "OK". */
  confirmLabel: string
  /** Closes when the promise resolves; a rejection is shown above the buttons, and the dialog stays open for another try. */
  onConfirm: () => Promise<unknown> | unknown
  danger?: boolean
  /** True while fields within `effect` do not hold what the act needs. */
  isIncomplete?: boolean
  /** Text that must be typed before an act that cannot be undone. */
  typeToConfirm?: string
  typeLabel?: string
}

/** Asks before something that cannot be undone: names the object and the effect. */
export const ConfirmDialog = (props: ConfirmDialogProps) => {
  const say = useUiMessages()
  const isReadOnly = useReadOnly()
  const opened = useLazyOpened(props.opened)
  const [typed, setTyped] = useState('')
  const ready = props.isIncomplete !== true && (props.typeToConfirm === undefined || typed === props.typeToConfirm)
  const confirming = useSubmit(async (): Promise<void> => {
    await props.onConfirm()
    close()
  })
  const close = (): void => {
    setTyped('')
    confirming.reset()
    props.onClose()
  }
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={<strong className="strong">{props.title}</strong>}
      withCloseButton={false}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          // A form around the question would be sent with it: React hands events on by components, not by places on the page.
          event.stopPropagation()
          // The failure is shown above the buttons.
          if (ready) confirming.submit().catch(() => undefined)
        }}
      >
        <div className="muted">{props.effect}</div>
        {props.typeToConfirm !== undefined && (
          <TextInput
            mt="sm"
            label={props.typeLabel ?? props.typeToConfirm}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
        )}
        {confirming.error && (
          <div className={classes.failure}>
            <Failure error={confirming.error} />
          </div>
        )}
        <Group justify="flex-end" mt="lg" gap={8}>
          <Button onClick={close} disabled={confirming.busy}>
            {say('cancel')}
          </Button>
          <Button
            type="submit"
            variant="filled"
            color={props.danger ? 'bad' : 'accent'}
            loading={confirming.busy}
            disabled={!ready || isReadOnly}
            {...(isReadOnly ? { title: say('readOnly') } : {})}
            data-autofocus={props.typeToConfirm === undefined || undefined}
          >
            {props.confirmLabel}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
