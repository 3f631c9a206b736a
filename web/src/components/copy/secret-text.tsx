import { ActionIcon } from '@mantine/core'
import { useState } from 'react'
import { useAction } from '../../lib/query.ts'
import { Hint } from '../display/hint.tsx'
import { Icon } from '../display/icon.tsx'
import { CopyDialog, useCopy } from './copy-text.tsx'
import classes from './secret-text.module.css'

interface SecretTextProps {
  /** Masked form, as lists have it; a new one means a new secret, so a revealed one is hidden again. */
  masked: string
  /** Reads the whole secret, which takes a call of its own. */
  reveal: () => Promise<string>
  labels: { show: string; hide: string; copy: string }
}

/** A masked key or code that can be shown and copied. */
export const SecretText = ({ masked, reveal, labels }: SecretTextProps) => {
  const { copy, byHand } = useCopy()
  const [revealed, setRevealed] = useState<{ masked: string; secret: string }>()
  const shown = revealed?.masked === masked ? revealed.secret : undefined
  const read = async (): Promise<string> => shown ?? (await reveal())
  const showing = useAction(read, { onDone: (secret) => setRevealed({ masked, secret }) })
  const copying = useAction(async () => copy(await read(), { secret: true }))
  const busy = showing.busy || copying.busy
  const toggle = shown === undefined ? labels.show : labels.hide
  return (
    <span className={`${classes.secret} ${shown === undefined ? '' : classes.shown}`}>
      <code className="mono">{shown ?? masked}</code>
      <Hint label={toggle}>
        <ActionIcon
          size={26}
          aria-label={toggle}
          aria-pressed={shown !== undefined}
          disabled={busy}
          onClick={() => (shown === undefined ? void showing.run() : setRevealed(undefined))}
        >
          <Icon name="eye" size={14} />
        </ActionIcon>
      </Hint>
      <Hint label={labels.copy}>
        <ActionIcon size={26} aria-label={labels.copy} disabled={busy} onClick={() => void copying.run()}>
          <Icon name="copy" size={14} />
        </ActionIcon>
      </Hint>
      <CopyDialog {...byHand} />
    </span>
  )
}
