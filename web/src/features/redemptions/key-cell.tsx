import { ActionIcon } from '@mantine/core'
import { useState } from 'react'
import { useCopy } from '../../components/copy/copy-text.tsx'
import { Hint } from '../../components/display/hint.tsx'
import { Icon } from '../../components/display/icon.tsx'
import type { Redemption } from '../../lib/api/contract.ts'
import { notifyFailure } from '../../lib/notify.tsx'
import { revealKeys } from './keys.ts'
import { useRedemptionWords } from './messages.ts'
import classes from './redemptions.module.css'

/** The masked code; it can be shown and copied. */
export const KeyCell = ({ code }: { code: Redemption }) => {
  const say = useRedemptionWords()
  const { copy, dialog } = useCopy()
  const [shown, setShown] = useState<string>()
  const [busy, setBusy] = useState(false)

  const withKey = async (use: (key: string) => void | Promise<void>): Promise<void> => {
    setBusy(true)
    try {
      const key = shown ?? (await revealKeys([code.id]))[0]?.key
      if (key !== undefined) await use(key)
    } catch (error) {
      notifyFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const toggle = shown === undefined ? say('show') : say('hide')
  return (
    <span className={`${classes.key} ${shown === undefined ? '' : classes.shown}`}>
      <code className="mono">{shown ?? code.key}</code>
      <Hint label={toggle}>
        <ActionIcon
          size={26}
          aria-label={toggle}
          aria-pressed={shown !== undefined}
          disabled={busy}
          onClick={() => (shown === undefined ? void withKey(setShown) : setShown(undefined))}
        >
          <Icon name="eye" size={14} />
        </ActionIcon>
      </Hint>
      <Hint label={say('copy')}>
        <ActionIcon
          size={26}
          aria-label={say('copy')}
          disabled={busy}
          onClick={() => void withKey((key) => copy(key, { secret: true }))}
        >
          <Icon name="copy" size={14} />
        </ActionIcon>
      </Hint>
      {dialog}
    </span>
  )
}
