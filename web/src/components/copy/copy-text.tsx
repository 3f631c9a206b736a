import { ActionIcon } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import { notifyDone } from '../../lib/notify.tsx'
import { Hint } from '../display/hint.tsx'
import { Icon } from '../display/icon.tsx'
import { useUiMessages } from '../messages.ts'
import classes from './copy-text.module.css'

const CopyByHand = onDemand(async () => (await import('./copy-by-hand.tsx')).CopyByHand)

const toClipboard = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

interface ByHand {
  /** The text that the browser did not copy; undefined while there is none. */
  readonly text: string | undefined
  readonly onClose: () => void
}

/** Copies text and says so. Where the browser forbids it, `<CopyDialog {...byHand} />` beside the control shows the text. */
export const useCopy = (): {
  /** `done` replaces the usual message; a secret is not repeated in it. */
  copy: (text: string, options?: { secret?: boolean; done?: string }) => Promise<void>
  byHand: ByHand
} => {
  const say = useUiMessages()
  const [manual, setManual] = useState<string>()
  const copy = async (text: string, options: { secret?: boolean; done?: string } = {}): Promise<void> => {
    const message = options.secret || text.length > 60 ? say('copiedPlain') : say('copied', { text })
    if (await toClipboard(text)) notifyDone(options.done ?? message)
    else setManual(text)
  }
  return { copy, byHand: { text: manual, onClose: () => setManual(undefined) } }
}

/** The text that `useCopy` could not copy, to be copied by hand. */
export const CopyDialog = ({ text, onClose }: ByHand) =>
  text !== undefined && <CopyByHand text={text} onClose={onClose} />

interface Copied {
  text: string
  name?: string | undefined
  secret?: boolean | undefined
  /** Hears that it was pressed. */
  onCopy?: (() => void) | undefined
}

/** Copies the text beside it. */
export const CopyButton = ({ text, name, secret = false, onCopy }: Copied) => {
  const say = useUiMessages()
  const { copy, byHand } = useCopy()
  const label = name ? say('copyNamed', { name }) : say('copy')
  return (
    <>
      <Hint label={label}>
        <ActionIcon
          size={26}
          className={classes.button}
          aria-label={label}
          onClick={(event) => {
            event.stopPropagation()
            void copy(text, { secret })
            onCopy?.()
          }}
        >
          <Icon name="copy" size={14} />
        </ActionIcon>
      </Hint>
      <CopyDialog {...byHand} />
    </>
  )
}

/** A text with a copy button. `shown` replaces what is displayed, e.g. a masked key. */
export const CopyText = ({ shown, ...copied }: Copied & { shown?: ReactNode }) => (
  <span className={classes.line}>
    <span className={`mono ${classes.text}`}>{shown ?? copied.text}</span>
    <CopyButton {...copied} />
  </span>
)
