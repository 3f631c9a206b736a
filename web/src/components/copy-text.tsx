import { ActionIcon, Modal, Textarea, Tooltip } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { notifyDone } from '../lib/notify.tsx'
import classes from './copy-text.module.css'
import { Icon } from './icon.tsx'
import { useUiWords } from './messages.ts'

const toClipboard = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/**
 * Copies text and says so; where the browser forbids it, `dialog` shows the text to be copied by hand. Render `dialog`
 * once beside the control.
 */
export const useCopy = (): {
  /** `done` is said in place of the usual words; a secret is not repeated in them. */
  copy: (text: string, options?: { secret?: boolean; done?: string }) => Promise<void>
  dialog: ReactNode
} => {
  const say = useUiWords()
  const [manual, setManual] = useState<string>()
  const copy = async (text: string, given: { secret?: boolean; done?: string } = {}): Promise<void> => {
    const usual = given.secret || text.length > 60 ? say('copiedPlain') : say('copied', { text })
    if (await toClipboard(text)) notifyDone(given.done ?? usual)
    else setManual(text)
  }
  const dialog = (
    <Modal
      opened={manual !== undefined}
      onClose={() => setManual(undefined)}
      title={say('copyFailed')}
      closeButtonProps={{ 'aria-label': say('close') }}
    >
      <Textarea
        aria-label={say('copyFailed')}
        value={manual ?? ''}
        readOnly
        autosize
        data-autofocus
        onFocus={(event) => event.currentTarget.select()}
        classNames={{ input: 'mono' }}
      />
    </Modal>
  )
  return { copy, dialog }
}

/** A text with a copy button. `shown` replaces what is displayed, e.g. a masked key. */
export const CopyText = ({
  text,
  shown,
  name,
  secret = false,
}: {
  text: string
  shown?: ReactNode
  name?: string
  secret?: boolean
}) => {
  const say = useUiWords()
  const { copy, dialog } = useCopy()
  const label = name ? say('copyNamed', { name }) : say('copy')
  return (
    <span className={classes.line}>
      <span className={`mono ${classes.text}`}>{shown ?? text}</span>
      <Tooltip label={label}>
        <ActionIcon
          size={26}
          aria-label={label}
          onClick={(event) => {
            event.stopPropagation()
            void copy(text, { secret })
          }}
        >
          <Icon name="copy" size={14} />
        </ActionIcon>
      </Tooltip>
      {dialog}
    </span>
  )
}
