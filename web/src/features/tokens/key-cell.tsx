import { ActionIcon } from '@mantine/core'
import { useState } from 'react'
import { useCopy } from '../../components/copy/copy-text.tsx'
import { Hint } from '../../components/display/hint.tsx'
import { Icon } from '../../components/display/icon.tsx'
import { call } from '../../lib/api/api.ts'
import { calls, type Token } from '../../lib/api/contract.ts'
import { notifyFailure } from '../../lib/notify.tsx'
import { useTokenWords } from './messages.ts'
import classes from './tokens.module.css'

/** The whole key with its prefix. Lists carry masked keys only, so it takes a call of its own. */
export const revealKey = async (id: number): Promise<string> => {
  const { key } = await call(calls.revealToken, { params: { id } })
  return `sk-${key}`
}

/** The masked key; it can be shown and copied. */
export const KeyCell = ({ token }: { token: Token }) => {
  const say = useTokenWords()
  const { copy, dialog } = useCopy()
  const [revealed, setRevealed] = useState<{ hint: string; key: string }>()
  // A key that was replaced since works no more: its successor is masked again.
  const shown = revealed?.hint === token.key ? revealed.key : undefined
  const setShown = (key: string | undefined): void =>
    setRevealed(key === undefined ? undefined : { hint: token.key, key })
  const [busy, setBusy] = useState(false)

  const withKey = async (use: (key: string) => void | Promise<void>): Promise<void> => {
    setBusy(true)
    try {
      await use(shown ?? (await revealKey(token.id)))
    } catch (error) {
      notifyFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const toggle = shown === undefined ? say('show') : say('hide')
  return (
    <span className={`${classes.key} ${shown === undefined ? '' : classes.shown}`}>
      <code className="mono">{shown ?? `sk-${token.key}`}</code>
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
      <Hint label={say('copyKey')}>
        <ActionIcon
          size={26}
          aria-label={say('copyKey')}
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
